"""Which values a field takes, for the errors of those that it does not take."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

# Of an error of msgspec: what is wrong, and where, as in `$.holdout.order` or `$.scopes[0]`.
SENTENCE = re.compile(r"(?s)(.*?)(?: - at `([^`]*)`)?")


def with_choices(error: msgspec.ValidationError, kind: Any) -> msgspec.ValidationError:
    """The error with the choices, if it is about a field of `kind` that has some."""
    found = SENTENCE.fullmatch(str(error))
    assert found is not None
    wrong, path = found[1], found[2] or "$"
    choices = choices_of(kind, path)
    if not choices:
        return error
    name = path.removeprefix("$").lstrip(".") or "the value"
    got = wrong.removeprefix("Invalid enum value ")
    got = f"got {got}" if got != wrong else wrong[:1].lower() + wrong[1:]
    return msgspec.ValidationError(f"{name} must be one of {', '.join(choices)}: {got}")


@cache
def choices_of(kind: Any, path: str) -> tuple[str, ...]:
    """The values of the field at a path of a type; none if any value of its type will do."""
    types = [inspect.type_info(kind)]
    for part in re.findall(r"\.(\w+)|(\[)", path):
        types = [inner for each in types for inner in _inside(each, part[0])]
    literals = [each for outer in types for each in _plain(outer)]
    return tuple(
        str(value)
        for each in literals
        if isinstance(each, inspect.LiteralType)
        for value in each.values
    )


def _inside(kind: inspect.Type, field: str) -> Iterator[inspect.Type]:
    """Types of a field; of the elements of a list, if the field has no name."""
    for each in _plain(kind):
        if isinstance(each, inspect.StructType):
            yield from (one.type for one in each.fields if one.encode_name == field)
        elif isinstance(each, inspect.ListType) and not field:
            yield each.item_type


def _plain(kind: inspect.Type) -> Iterator[inspect.Type]:
    """The types of a union, without descriptions."""
    if isinstance(kind, inspect.Metadata):
        yield from _plain(kind.type)
    elif isinstance(kind, inspect.UnionType):
        for each in kind.types:
            yield from _plain(each)
    else:
        yield kind
