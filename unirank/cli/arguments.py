"""How the command line spells counts and policies."""

import importlib
import json
import re
import sys
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter, Token

from unirank.errors import ArgumentError
from unirank.policies import Policy
from unirank.simulation.games import PolicySpec

_SPELLING = re.compile(r"(?P<name>[\w.:-]+)\s*(\((?P<options>.*)\))?")


def parse_count(_: type[int], tokens: "list[Token] | tuple[Token, ...]") -> int:
    """Read 10000000, 10_000_000, 1e7 or 10^7."""
    text = tokens[0].value.replace("_", "")
    base, power, exponent = text.partition("^")
    number: int | None
    try:
        if base.lstrip("-").isdigit():
            return int(base) ** int(exponent or 1)
        number = int(float(base))
    except (ValueError, OverflowError):
        number = None
    if power or number is None or number != float(base):
        raise ValueError(f"must be a whole number, such as 1000, 1e6 or 10^6, got {text}")
    return number


Count = Annotated[int, Parameter(converter=parse_count)]


def parse_policy(text: str) -> PolicySpec:
    """Read `unirank`, `unirank(early=explore)` or `my_module:MyPolicy`."""
    match = _SPELLING.fullmatch(text.strip())
    if match is None:
        raise ArgumentError(f"policy must look like name or name(option=value), got {text!r}")
    name = match["name"]
    options: dict[str, Any] = {}
    for part in filter(None, (match["options"] or "").split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ArgumentError(f"options of {name} must look like option=value, got {part!r}")
        options[key.strip()] = _value(value.strip())
    if ":" in name:
        name = import_policy(name).name
    return name, options


def import_policy(path: str) -> type[Policy]:
    """Import `module:Class`, looking in the working folder too."""
    module_name, _, class_name = path.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        cls = getattr(importlib.import_module(module_name), class_name)
    except ImportError as error:
        raise ArgumentError(f"cannot import {module_name!r}: {error}") from None
    except AttributeError:
        raise ArgumentError(f"{module_name!r} has no class {class_name!r}") from None
    if not (isinstance(cls, type) and issubclass(cls, Policy)):
        raise ArgumentError(f"{path!r} must be a subclass of unirank.Policy, got {cls!r}")
    if "name" not in vars(cls):
        raise ArgumentError(
            f"{path!r} must be registered: @unirank.policies.registry.register(...)"
        )
    return cls


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
