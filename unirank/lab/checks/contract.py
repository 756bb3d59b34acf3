"""A contract is a list of small checks, each with a sentence that says what must hold."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from unirank.errors import UnirankError
from unirank.policies.kernels.compile_errors import compile_error

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
        sentence = sentence_of(check)
        try:
            check(component)
        except ContractError as error:
            found.append(Outcome(sentence, str(error)))
        except Exception as error:
            found.append(Outcome(sentence, compile_error(error)))
        else:
            found.append(Outcome(sentence, ""))
    return found


def sentence_of(check: Check) -> str:
    return (check.__doc__ or "").strip().split("\n")[0].rstrip(".")


def not_run(checks: Sequence[Check], why: str) -> list[Outcome]:
    return [Outcome(sentence_of(check), why) for check in checks]


def require(held: bool, problem: str) -> None:
    if not held:
        raise ContractError(problem)


def raise_first(found: Sequence[Outcome]) -> None:
    for outcome in found:
        if outcome.problem:
            raise ContractError(f"{outcome.sentence}: {outcome.problem}")
