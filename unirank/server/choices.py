"""The values and the fields that a place in a request allows: errors name them."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec import inspect


@cache
def choices_of(kind: Any, path: str) -> tuple[str, ...]:
    """The values of the field at a path of a type; none if any value of its type will do."""
    return tuple(
        str(value)
        for each in _types_at(kind, path)
        if isinstance(each, inspect.LiteralType)
        for value in each.values
    )


@cache
def fields_of(kind: Any, path: str) -> tuple[str, ...]:
    """Return the names of the fields of the object at a path of a type."""
    return tuple(
        field.encode_name
        for each in _types_at(kind, path)
        if isinstance(each, inspect.StructType)
        for field in each.fields
    )


def _types_at(kind: Any, path: str) -> list[inspect.Type]:
    """Return the types at a path such as `$.holdout.order` or `$[0].scopes[3]`."""
    types = [inspect.type_info(kind)]
    for part in re.findall(r"\.(\w+)|(\[)", path):
        types = [inner for each in types for inner in _inside(each, part[0])]
    return [each for outer in types for each in _plain(outer)]


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
