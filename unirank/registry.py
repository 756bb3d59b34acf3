"""Registries: named classes with facts, which help, tables and error messages are made from."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic, TypeVar

from unirank.errors import ArgumentError, UnknownNameError

C = TypeVar("C", bound=type[Any])


@dataclass(frozen=True)
class Entry(Generic[C]):
    """One registered class: its name, its one-line summary, and further facts as columns."""

    name: str
    cls: C
    facts: dict[str, str]

    @property
    def summary(self) -> str:
        """First sentence of the docstring."""
        return (self.cls.__doc__ or "").strip().split("\n")[0].rstrip(".")


class Registry(Generic[C]):
    """Named classes of one kind."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._entries: dict[str, Entry[C]] = {}

    def register(self, name: str, **facts: str) -> Callable[[C], C]:
        """Class decorator: register the class under `name`."""

        def add(cls: C) -> C:
            known = self._entries.get(name)
            # A reloaded module or a notebook cell may register the same class again.
            if known is not None and _origin(known.cls) != _origin(cls):
                raise ArgumentError(f"{self.kind} {name!r} is already {_origin(known.cls)}")
            self._entries[name] = Entry(name, cls, facts)
            cls.name = name
            return cls

        return add

    def remove(self, name: str) -> None:
        """Remove a registered name."""
        del self._entries[name]

    def __getitem__(self, name: str) -> C:
        if not isinstance(name, str) or name not in self._entries:
            raise UnknownNameError(self.kind, name, self._entries)
        return self._entries[name].cls

    def __iter__(self) -> Iterator[Entry[C]]:
        return iter(sorted(self._entries.values(), key=lambda entry: entry.name))

    def facts(self, cls: type[Any]) -> dict[str, str]:
        """Return the facts that `cls` itself was registered with; {} if it was not."""
        return next((dict(e.facts) for e in self._entries.values() if e.cls is cls), {})

    def names(self) -> list[str]:
        return sorted(self._entries)


def imported(path: str) -> Any:
    """Import what "module:Class" names, or a module; raise ArgumentError with the reason."""
    module_name, _, class_name = path.partition(":")
    try:
        found: Any = import_module(module_name)
    except Exception as error:  # whatever is wrong in a user's module
        reason = f"{type(error).__name__}: {error}"
        raise ArgumentError(f"cannot import {module_name!r}: {reason}") from None
    for part in filter(None, class_name.split(".")):
        if not hasattr(found, part):
            raise UnknownNameError(f"class of {module_name}:", class_name, vars(found))
        found = getattr(found, part)
    return found


def _origin(cls: type[Any]) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"
