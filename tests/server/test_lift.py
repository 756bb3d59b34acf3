"""The lift: learner minus holdout."""

import pytest

from unirank.page.split.assignment import Assigned
from unirank.page.split.counts import ArmCounts, Counts
from unirank.server.api import Lift
from unirank.server.lift import lift_of


def test_without_a_view_there_is_no_lift() -> None:
    assert lift_of(None, 2) == Lift(None, None, None)


def arms_of(holdout: int, learner: int, n: int = 400) -> list[ArmCounts]:
    """Each arm has n visitors, of whom so many per hundred click."""
    counts = Counts(2)
    for arm, per_hundred in enumerate((holdout, learner)):
        for place in range(n):
            counts.answer(Assigned(arm, 2 * place + arm), float(37 * place % 100 < per_hundred))
    return [counts.of_arm(arm) for arm in (0, 1)]


def test_the_lift_is_the_learner_minus_the_holdout() -> None:
    found = lift_of(arms_of(20, 70), 2)
    assert found.value == pytest.approx(0.5)
    assert found.low is not None
    assert found.high is not None
    assert 0.3 < found.low < 0.5 < found.high < 0.7


def test_with_few_clicks_no_interval_is_claimed() -> None:
    found = lift_of(arms_of(20, 70, n=40), 2)
    assert (found.low, found.high) == (None, None)
