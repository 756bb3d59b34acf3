"""The errors that this library raises."""

import re
from collections.abc import Iterable
from difflib import get_close_matches


class UnirankError(Exception):
    """Base of every error this library raises on purpose; its text is one line.

    Parameters
    ----------
    text
        What is wrong, in one sentence.
    """

    def __init__(self, text: str) -> None:
        super().__init__(re.sub(r"\s*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*", " ", text))


class ArgumentError(UnirankError, ValueError):
    """A value breaks a rule: the text names the argument, the rule and the value."""


MOST_LISTED = 40


def _listed(names: list[str]) -> str:
    more = ", ..." if len(names) > MOST_LISTED else ""
    return ", ".join(names[:MOST_LISTED]) + more


class UnknownNameError(ArgumentError):
    """A name that is not registered: the text proposes the nearest one that is."""

    def __init__(self, kind: str, name: object, known: Iterable[object]) -> None:
        names = sorted(map(str, known))
        near = get_close_matches(str(name), names, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"one of: {_listed(names)}"
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class StateFileError(UnirankError, ValueError):
    """A saved policy that cannot be read: missing, truncated, corrupt or of a newer format."""


class MissingExtraError(UnirankError, ImportError):
    """An optional dependency is not installed: the text says which extra brings it."""
