"""How the command line spells counts and policies."""

import json
import re
from typing import Annotated, Any, Literal

from cyclopts import Parameter, Token

from unirank.errors import ArgumentError

_SPELLING = re.compile(r"(?P<name>[\w.:-]+)\s*(\((?P<options>.*)\))?")


_BETWEEN_OPTIONS = re.compile(r",(?![^\[]*\])")  # a comma, but not one inside a list


def parse_count(_: type[int], tokens: "list[Token] | tuple[Token, ...]") -> int:
    """Read 10000000, 10_000_000, 1e7 or 10^7."""
    text = tokens[0].value.replace("_", "")
    base, power, exponent = text.partition("^")
    number: int | None
    try:
        if base.lstrip("-").isdigit() and len(base) < 20 and int(exponent or 1) < 20:
            return int(base) ** int(exponent or 1)
        number = int(float(base))
    except (ValueError, OverflowError):
        number = None
    if power or number is None or number != float(base):
        raise ValueError(f"must be a whole number, such as 1000, 1e6 or 10^6, got {text}")
    return number


LogFormat = Literal["yandex-search", "yandex-relpred", "kdd", "sessions", "counts"]
Count = Annotated[int, Parameter(converter=parse_count)]


def parse_policy(text: str) -> tuple[str, dict[str, Any]]:
    """Read `unirank`, `unirank(early=explore)` or `my_module:MyPolicy`."""
    match = _SPELLING.fullmatch(text.strip())
    if match is None:
        raise ArgumentError(f"policy must look like name or name(option=value), got {text!r}")
    name = match["name"]
    options: dict[str, Any] = {}
    for part in filter(None, _BETWEEN_OPTIONS.split(match["options"] or "")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ArgumentError(f"options of {name} must look like option=value, got {part!r}")
        options[key.strip()] = _value(value.strip())
    return name, options


def _value(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return {"True": True, "False": False, "None": None}.get(text, text)
    whole = isinstance(value, float) and value.is_integer() and "." not in text
    return int(value) if whole else value  # 1e7 is a count, 1.0 is not


def parse_share(_: type[float], tokens: "list[Token] | tuple[Token, ...]") -> float:
    """Read 0.001 or 0.1%."""
    text = tokens[0].value
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise ValueError(f"must be a share, such as 0.001 or 0.1%, got {text}") from None


Share = Annotated[float, Parameter(converter=parse_share)]


def parse_pairs(name: str, text: str) -> dict[str, str]:
    """Read one=a,two=b."""
    found = {}
    for part in filter(None, text.split(",")):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value):
            raise ArgumentError(f"{name} must look like name=value,name=value, got {part!r}")
        found[key] = value
    return found
