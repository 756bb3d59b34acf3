"""What a reader is told of a value that msgspec refuses: its name, the rule and the value."""

import json
import re
from typing import Any

import msgspec
from msgspec import UNSET

from unirank.arguments import LONGEST, shown
from unirank.errors import UnknownNameError
from unirank.server.choices import choices_of, fields_of

# An error of msgspec: what is wrong, and where, as in `$.holdout.order` or `$.scopes[0]`.
SENTENCE = re.compile(r"(?s)(.*?)(?: - at `([^`]*)`)?")
EXPECTED = re.compile(
    r"(?s)Expected `([^`]*)`(?: (of length )?([<>]=?) (\S+?)(?:\.0)?| matching regex (.*))?"
    r"(?:, got `[^`]*`)?"
)
FIELD = re.compile(r"Object (missing required|contains unknown) field `(.*)`")
# An escaped surrogate without its other half, which JSON can write and UTF-8 cannot.
HALF_PAIR = re.compile(
    rb"(?i)\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}"
)
TYPES = {
    "int": "an integer",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
BOUNDS = {">=": "of at least", "<=": "of at most", ">": "above", "<": "below"}
PARTS = {"str": "character", "array": "element"}


def in_words(error: msgspec.ValidationError, kind: Any, sent: Any) -> msgspec.ValidationError:
    """Put the error into plain words; `sent` is what was refused, UNSET if it cannot be read."""
    found = SENTENCE.fullmatch(str(error))
    assert found is not None
    wrong, path = found[1], found[2] or "$"
    if (field := FIELD.fullmatch(wrong)) is not None:
        return msgspec.ValidationError(_of_field(kind, path, *field.groups()))
    value = _value_at(sent, path)
    if choices := choices_of(kind, path):
        rule = f"{_name(path)} must be one of {', '.join(choices)}"
        return msgspec.ValidationError(rule + _got(value, after=": "))
    if (expected := EXPECTED.fullmatch(wrong)) is not None:
        return msgspec.ValidationError(f"{_name(path)} must be {_rule(value, *expected.groups())}")
    return msgspec.ValidationError(f"{_name(path)}: {wrong[:1].lower()}{wrong[1:]}")


def unreadable(error: Exception, content: bytes) -> str:
    """Why a body is no JSON."""
    if not content.strip():
        return "it is empty"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    try:
        content.decode()
    except UnicodeDecodeError as wrong:
        return f"byte 0x{content[wrong.start]:02x} at position {wrong.start} is not UTF-8"
    half = HALF_PAIR.search(content)
    if half is not None and any(word in str(error) for word in ("surrogate", "truncated")):
        return f"{half[0].decode()} is half a character, the other half is missing"
    return "it ends too early" if "truncated" in str(error) else str(error)


def _name(path: str) -> str:
    """Write a path as a reader does: holdout.share, add[0]."""
    return path.removeprefix("$").lstrip(".") or "the body"


def _of_field(kind: Any, path: str, problem: str, field: str) -> str:
    """Write the sentence about a field that is missing or unknown."""
    if problem == "missing required":
        return f"{_name(f'{path}.{field}')} must be given"
    if not fields_of(kind, path):
        return f"unknown field {shown(field, 60)}: this request takes none"
    inside = "" if path == "$" else f" of {_name(path)}"
    return str(UnknownNameError(f"field{inside}", field, fields_of(kind, path)))


def _rule(
    value: Any,
    types: str,
    length: str | None,
    bound: str | None,
    limit: str | None,
    pattern: str | None,
) -> str:
    """Write what the value must be and what it is, or how long it is if it is too long."""
    *others, last = [TYPES.get(each, each) for each in types.split(" | ")]
    rule = f"{', '.join(others)} or {last}" if others else last
    if bound is not None:
        rule += f" {BOUNDS[bound]} {limit}"
    if length is not None:
        rule += f" {PARTS.get(types, 'part')}{'s' * (limit != '1')}"
    if pattern is not None:
        rule += f" that matches {pattern}"
    is_long = length is not None and bound in ("<", "<=") and isinstance(value, str | list)
    return rule + _got(len(value) if is_long else value)


def _got(value: Any, after: str = ", ") -> str:
    """Write the value that was sent: a text between quotes, anything else as JSON."""
    if value is UNSET:
        return ""
    if isinstance(value, str):
        return f"{after}got {shown(value)}"
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:  # nested as deeply as can just be read
        return ""
    return f"{after}got {text}" if len(text) <= LONGEST else f"{after}got {text[:LONGEST]}..."


def _value_at(sent: Any, path: str) -> Any:
    """Return the value at a path; UNSET if there is none."""
    for field, index in re.findall(r"\.(\w+)|\[([^]]*)\]", path):
        try:
            sent = sent[field or int(index)]
        except (LookupError, TypeError, ValueError):
            return UNSET
    return sent
