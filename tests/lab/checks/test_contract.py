"""Checks become outcomes with sentences."""

import pytest

from unirank.lab.checks.contract import ContractError, outcomes, raise_first, require


def holds(component: int) -> None:
    """The component is a number."""


def fails(component: int) -> None:
    """The component is positive.

    Further explanation is not part of the sentence.
    """
    require(component > 0, f"got {component}")


def crashes(component: int) -> None:
    """The component divides one."""
    _ = 1 // component


def test_each_check_gives_its_sentence_and_its_problem() -> None:
    found = [(o.sentence, o.problem) for o in outcomes([holds, fails, crashes], 0)]
    assert found == [
        ("The component is a number", ""),
        ("The component is positive", "got 0"),
        ("The component divides one", "ZeroDivisionError: integer division or modulo by zero"),
    ]


def test_the_first_problem_is_raised() -> None:
    with pytest.raises(ContractError, match="The component is positive: got 0"):
        raise_first(outcomes([holds, fails, crashes], 0))
    raise_first(outcomes([holds, fails], 1))
