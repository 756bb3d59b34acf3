"""What a reader is told of a value that does not fit: its name, the rule and the value.

msgspec refuses a value without saying which rule it broke, but in a sentence. So what was sent is
compared with its type once more, field by field, until the first value that msgspec refuses alone.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, inspect

from unirank.arguments import LONGEST, shown
from unirank.errors import UnknownNameError

# An escaped surrogate without its other half, which JSON can write and UTF-8 cannot.
HALF_PAIR = re.compile(
    rb"(?i)\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}"
)
# The types of a message, in the order in which a sentence names them.
TYPES: dict[type[inspect.Type], tuple[type, str]] = {
    inspect.BoolType: (bool, "true or false"),
    inspect.IntType: (int, "an integer"),
    inspect.FloatType: (float, "a number"),
    inspect.StrType: (str, "a text"),
    inspect.StructType: (dict, "an object"),
    inspect.DictType: (dict, "an object"),
    inspect.ListType: (list, "a list"),
    inspect.NoneType: (type(None), "null"),
}
# Names of limits: of msgspec's Meta, and in a sentence.
LIMITS = {
    "ge": "of at least",
    "gt": "above",
    "le": "of at most",
    "lt": "below",
    "min_length": "of at least",
    "max_length": "of at most",
    "pattern": "that matches",
}
PARTS: dict[type, str] = {str: "character", list: "element", dict: "field"}


def in_words(
    error: msgspec.ValidationError, kind: Any, sent: Any, *, strict: bool = True
) -> msgspec.ValidationError:
    """Put the error into plain words; `sent` is the plain data that the type refused.

    With `strict` false, texts may stand for numbers, as in addresses and in the environment.
    """
    sentence = _of_value(inspect.type_info(kind), sent, "", strict)
    return error if sentence is None else msgspec.ValidationError(sentence)


def converted(sent: Any, kind: Any, *, strict: bool = True) -> Any:
    """Convert plain data to a type; a ValidationError says in plain words what does not fit."""
    try:
        return msgspec.convert(sent, kind, strict=strict)
    except msgspec.ValidationError as error:
        raise in_words(error, kind, sent, strict=strict) from None


def refusal(error: Exception, kind: Any, content: bytes) -> msgspec.DecodeError:
    """Put into plain words why a body of JSON was refused as one of a type.

    A ValidationError says which value does not fit; any other DecodeError, why it is no JSON.
    """
    try:
        sent = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as plain:
        return msgspec.DecodeError(unreadable(plain, content))
    if not isinstance(error, msgspec.ValidationError):
        return msgspec.DecodeError(unreadable(error, content))
    return in_words(error, kind, sent)


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


def _of_value(kind: inspect.Type, value: Any, path: str, strict: bool) -> str | None:
    """Say what is wrong with a value at a path, such as holdout.share; None if it fits."""
    members = sorted(_members(kind), key=lambda each: [*TYPES, type(each)].index(type(each)))
    choices = [
        str(v) for each in members if isinstance(each, inspect.LiteralType) for v in each.values
    ]
    if choices and value not in choices:
        return f"{_name(path)} must be one of {', '.join(choices)}{_got(value, after=': ')}"
    for each in members:
        if type(each) not in TYPES:
            return None  # any value will do, or it is one of the choices
        if isinstance(each, inspect.StructType) and isinstance(value, Mapping):
            return _of_object(each, value, path, strict)
        if _is_of(TYPES[type(each)][0], value, strict):
            return _of_limits(each, value, path, strict) or _of_elements(each, value, path, strict)
    *others, last = dict.fromkeys(TYPES[type(each)][1] for each in members)
    rule = f"{', '.join(others)} or {last}" if others else last
    return f"{_name(path)} must be {rule}{_got(value)}"


def _members(kind: inspect.Type) -> Iterator[inspect.Type]:
    """The types of a union, without descriptions."""
    if isinstance(kind, inspect.Metadata):
        yield from _members(kind.type)
    elif isinstance(kind, inspect.UnionType):
        for each in kind.types:
            yield from _members(each)
    else:
        yield kind


def _of_object(
    kind: inspect.StructType, value: Mapping[str, Any], path: str, strict: bool
) -> str | None:
    fields = {field.encode_name: field for field in kind.fields}
    for name, each in value.items():
        if name in fields:
            inside = f"{path}.{name}" if path else name
            if sentence := _of_value(fields[name].type, each, inside, strict):
                return sentence
        elif not fields:
            return f"unknown field {shown(name, 60)}: this request takes none"
        elif kind.forbid_unknown_fields:
            where = f" of {path}" if path else ""
            return str(UnknownNameError(f"field{where}", name, list(fields)))
    for name, field in fields.items():
        if field.required and name not in value:
            return f"{path}.{name} must be given" if path else f"{name} must be given"
    return None


def _of_elements(kind: inspect.Type, value: Any, path: str, strict: bool) -> str | None:
    if not isinstance(kind, inspect.ListType):
        return None
    sentences = (
        _of_value(kind.item_type, each, f"{path}[{n}]", strict) for n, each in enumerate(value)
    )
    return next(filter(None, sentences), None)


def _of_limits(kind: inspect.Type, value: Any, path: str, strict: bool) -> str | None:
    """Name the first limit of a type that a value is beyond."""
    plain, words = TYPES[type(kind)]
    for name, phrase in LIMITS.items():
        limit = getattr(kind, name, None)
        if limit is None or _is_of(Annotated[plain, Meta(**{name: limit})], value, strict):
            continue
        rule = f"{words} {phrase} {_limit(limit)}"
        if name.endswith("length"):
            rule += f" {PARTS[plain]}{'s' * (limit != 1)}"
        return f"{_name(path)} must be {rule}{_got(len(value) if name == 'max_length' else value)}"
    return None


def _is_of(kind: Any, value: Any, strict: bool) -> bool:
    try:
        msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError:
        return False
    return True


def _limit(limit: object) -> str:
    """Write a limit as a reader does: 604800, not 604800.0."""
    return f"{limit:.0f}" if isinstance(limit, float) and limit.is_integer() else repr(limit)


def _name(path: str) -> str:
    return path or "the body"


def _got(value: Any, after: str = ", ") -> str:
    """Write the value that was sent: a text between quotes, anything else as JSON."""
    if isinstance(value, str):
        return f"{after}got {shown(value)}"
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:  # nested as deeply as can just be read
        return ""
    return f"{after}got {text}" if len(text) <= LONGEST else f"{after}got {text[:LONGEST]}..."
