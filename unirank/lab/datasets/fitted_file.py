"""Fitted files: click models by query as one JSON file, with the ids of their items.

    {"format": "unirank fitted click models", "version": 1, "source": {... free facts ...},
     "models": {"pbm": {"query": {"items": [ids], "attraction": [...], "examination": [...],
                                  "log_likelihood": -12.5, "n_sessions": 80, "warnings": []}}}}

A query holds the arguments of its click model, in the order of its items, and facts of the fit.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from inspect import signature
from typing import Any

import msgspec

from unirank import arguments
from unirank.errors import ArgumentError, UnknownNameError
from unirank.files import read_whole, write_atomically
from unirank.users import ClickModel, registry

FORMAT = "unirank fitted click models"
VERSION = 1
MOST_BYTES = 2**30
KEYS = ("format", "version", "source", "models")
FACTS = ("log_likelihood", "n_sessions", "warnings")


@dataclass(frozen=True)
class FittedQuery:
    """The click model of one query, the ids of its items, and facts of the fit."""

    items: tuple[int | str, ...]
    parameters: dict[str, Any]  # the click model's arguments
    facts: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, users: ClickModel, items: Sequence[int | str], **facts: Any) -> "FittedQuery":
        """Make the entry of `users`, whose item n has the id items[n]."""
        parameters = {k: v for k, v in users.settings.items() if k in parameters_of(users.name)}
        return cls(tuple(items), parameters, facts)

    def to_dict(self) -> dict[str, Any]:
        return {"items": list(self.items), **self.parameters, **self.facts}


Models = Mapping[str, Mapping[str, FittedQuery]]  # by name of the click model, then by query


@dataclass(frozen=True)
class FittedFile:
    """The content of a fitted file; `name` is for error messages."""

    source: dict[str, Any]
    models: dict[str, dict[str, FittedQuery]]
    name: str = "fitted file"

    def digest(self) -> str:
        """Return a hash of the items and parameters."""
        plain = {
            name: {query: [each.items, each.parameters] for query, each in queries.items()}
            for name, queries in self.models.items()
        }
        return sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def parameters_of(click_model: str) -> list[str]:
    """Return the names of the fitted parameters; the coupling of clicks is not fitted."""
    return [name for name in signature(registry[click_model]).parameters if name != "coupling"]


def write_fitted(
    path: str | os.PathLike[str], models: Models, *, source: Mapping[str, Any]
) -> None:
    """Write a fitted file; raise if `read_fitted` would."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "source": dict(source),
        "models": {
            name: {query: each.to_dict() for query, each in queries.items()}
            for name, queries in models.items()
        },
    }
    try:
        text = json.dumps(content, allow_nan=False, indent=1).encode()
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"cannot write {os.fspath(path)!r}: {error}") from None
    _checked(os.fspath(path), msgspec.json.decode(text))
    write_atomically(path, text)


def read_fitted(path: str | os.PathLike[str]) -> FittedFile:
    """Read a fitted file and check that each of its click models can be made."""
    name = str(path)
    try:
        content = msgspec.json.decode(read_whole(path, MOST_BYTES))
    except OSError as error:
        raise ArgumentError(f"cannot read {name!r}: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ArgumentError(f"{name!r} is not valid JSON: {error}") from None
    return _checked(name, content)


def _checked(name: str, content: Any) -> FittedFile:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ArgumentError(f"{name!r} is not a fitted file: its 'format' must be {FORMAT!r}")
    version = content.get("version")
    if type(version) is not int or version != VERSION:
        raise ArgumentError(f"{name!r}: 'version' must be {VERSION}, got {version!r:.80}")
    _check_keys(f"key of {name!r}:", content, KEYS, required=KEYS)
    source, models = (_object(f"{name!r}: {key!r}", content[key]) for key in ("source", "models"))
    if not models:
        raise ArgumentError(f"{name!r}: 'models' must not be empty")
    found: dict[str, dict[str, FittedQuery]] = {}
    for model, queries in models.items():
        where = f"{name!r}: model {model!r:.80}"
        arguments.choice(f"click model of {name!r}:", model, registry.names())
        if not _object(where, queries):
            raise ArgumentError(f"{where} must not be empty")
        found[model] = {
            query: _query(f"{where}, query {query!r:.80}", model, fields)
            for query, fields in queries.items()
        }
    return FittedFile(source, found, repr(name))


def _query(where: str, model: str, fields: Any) -> FittedQuery:
    """Check the model of one query; `where` begins every error message."""
    needed = parameters_of(model)
    fields = _object(where, fields)
    _check_keys(f"key of {where}:", fields, ("items", *needed, *FACTS), required=needed)
    parameters = {key: _probabilities(f"{where}, key {key!r}", fields[key]) for key in needed}
    try:
        if not isinstance(fields.get("items"), list):
            raise ArgumentError(f"items must be a list of ids, got {fields.get('items')!r:.80}")
        items = arguments.item_ids(fields["items"])
        users = registry[model](**parameters)
        if len(items) != users.n_items:
            raise ArgumentError(f"items must have {users.n_items} ids, got {len(items)}")
    except ArgumentError as error:
        raise ArgumentError(f"{where}, {error}") from None
    return FittedQuery(items, parameters, _facts(where, fields))


def _probabilities(where: str, value: Any, depth: int = 2) -> Any:
    """Return `value` if it is a number in [0, 1], or lists of such numbers."""
    if isinstance(value, list) and depth > 0:
        return [_probabilities(where, each, depth - 1) for each in value]
    if type(value) not in (int, float) or not 0 <= value <= 1:
        raise ArgumentError(f"{where} must be numbers in [0, 1], got {value!r:.80}")
    return value


def _facts(where: str, fields: dict[str, Any]) -> dict[str, Any]:
    found = {key: fields[key] for key in FACTS if key in fields}
    if type(found.get("log_likelihood", 0.0)) not in (int, float):
        raise ArgumentError(
            f"{where}, key 'log_likelihood' must be a number, got {found['log_likelihood']!r:.80}"
        )
    arguments.integer(f"{where}, key 'n_sessions'", found.get("n_sessions", 0), 0)
    warnings = found.get("warnings", [])
    if not isinstance(warnings, list) or not all(isinstance(text, str) for text in warnings):
        raise ArgumentError(f"{where}, key 'warnings' must be a list of text, got {warnings!r:.80}")
    return found


def _object(where: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ArgumentError(f"{where} must be a JSON object, got {value!r:.80}")
    return value


def _check_keys(
    kind: str, content: dict[str, Any], known: Sequence[str], required: Sequence[str]
) -> None:
    for key in content:
        if key not in known:
            raise UnknownNameError(kind, key, known)
    for key in required:
        if key not in content:
            raise ArgumentError(f"missing {kind} {key!r}")
