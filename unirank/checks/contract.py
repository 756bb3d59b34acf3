"""A contract is a list of small checks, each with a sentence that says what must hold."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from unirank.errors import UnirankError

Check = Callable[[Any], None]


class ContractError(UnirankError, AssertionError):
    """A component does not do what every component of its kind must do."""


@dataclass(frozen=True)
class Outcome:
    """What one check found: `problem` is empty if the sentence holds."""

    sentence: str
    problem: str


def outcomes(checks: Sequence[Check], component: Any) -> list[Outcome]:
    """Run every check; the sentence of each is the first line of its docstring."""
    found = []
    for check in checks:
        sentence = (check.__doc__ or "").strip().split("\n")[0].rstrip(".")
        try:
            check(component)
        except ContractError as error:
            found.append(Outcome(sentence, str(error)))
        except Exception as error:
            found.append(Outcome(sentence, _first_line(error)))
        else:
            found.append(Outcome(sentence, ""))
    return found


def require(held: bool, problem: str) -> None:
    if not held:
        raise ContractError(problem)


def raise_first(found: Sequence[Outcome]) -> None:
    for outcome in found:
        if outcome.problem:
            raise ContractError(f"{outcome.sentence}: {outcome.problem}")


def _first_line(error: Exception) -> str:
    text = str(error)
    if "NRT required" in text or "Only accept returning of array" in text:
        return (
            "a kernel creates an array or assigns one array to another: keep scratch arrays in the "
            "state and copy in a loop, or decorate it with compiled_allocating"
        )
    return f"{type(error).__name__}: {text.strip().splitlines()[0] if text.strip() else ''}"
