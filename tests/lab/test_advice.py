"""Advice: exact bookkeeping, the same numbers again, and a ranking that a reader would expect."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from unirank.errors import ArgumentError
from unirank.lab.advice import advise, outlook, pays_back
from unirank.lab.prior import draw_problem
from unirank.policies.base.specs import PolicySpec

ROUNDS = np.array([1, 10, 100])
SIZE: dict[str, Any] = {"n_items": 8, "n_positions": 3}


@pytest.mark.parametrize(
    ("gain", "expected"),
    [([-1, -2, 3], 100), ([1, -2, 3], 100), ([1, 2, 3], 1), ([1, 2, -3], None), ([-1, 2, 3], 10)],
)
def test_it_has_paid_back_when_the_gain_stays_above_zero(
    gain: list[float], expected: int | None
) -> None:
    assert pays_back(ROUNDS, np.array(gain)) == expected


def test_an_outlook_by_hand() -> None:
    gain, loss = np.array([[-1.0, 2.0, 10.0], [-3.0, -4.0, -2.0]]), np.array([0.5, 0.3])
    found = outlook("x", ROUNDS, gain, loss)
    assert found.lost == pytest.approx((40 + 32) / 2)
    assert found.gained == pytest.approx(4.0)
    assert found.gained_error == pytest.approx(2 * 6.0)  # two standard errors: 12 / sqrt(2) each
    assert (found.pays_back, found.pays_back_to) == (100, None)
    assert found.share_paid_back == 0.5


def test_an_order_that_never_changes_loses_what_is_known() -> None:
    """The best order loses nothing and gains all that today's order loses; random order loses."""
    policies: list[PolicySpec] = ["random", ("oracle", {"ranking": "told"})]
    found = advise(**SIZE, n_visits=1000, policies=policies, n_problems=6, seed=2, progress=False)
    best, worst = found.outlooks
    loss = 1000 * np.mean([draw_problem(2, number, 8, 3).loss for number in range(6)])
    assert best.policy.startswith("oracle")
    assert best.lost == pytest.approx(0.0, abs=1e-9)
    assert best.gained == pytest.approx(loss)
    assert found.today_lost == pytest.approx(loss)
    assert worst.gained == pytest.approx(loss - worst.lost)
    assert found.as_good == ()
    assert (found.n_problems, found.n_games) == (6, 12)


def test_the_same_numbers_again_on_any_number_of_threads() -> None:
    one, two = (
        advise(**SIZE, n_visits=300, n_problems=4, n_workers=n, policies=["unirank", "random"])
        for n in (1, 2)
    )
    assert replace(one, seconds=0.0) == replace(two, seconds=0.0)
    assert one.sentence.endswith("no policy pays back, unirank comes nearest")


def test_time_decides_how_many_problems_are_played() -> None:
    few = advise(**SIZE, n_visits=100, policies=["random"], seconds=1e-6)
    assert few.n_problems == 10


def test_policies_that_cannot_be_told_apart_are_named() -> None:
    found = advise(**SIZE, n_visits=50, policies=["random", ("random", {"max_pending": 7})])
    assert len(found.as_good) == 1


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"n_items": 1}, "n_items must be >= 2, got 1"),
        ({"n_positions": 9}, "n_positions must be in 1..n_items=8, got 9"),
        ({"n_visits": 0}, "n_visits must be in 1.."),
        ({"n_problems": 1}, "n_problems must be >= 2, got 1"),
        ({"seconds": 0}, "seconds must be a number > 0, got 0"),
        ({"policies": []}, "policies must not be empty, got []"),
        ({"policies": ["unrank"]}, "unknown policy 'unrank'; did you mean 'unirank'?"),
    ],
)
def test_wrong_arguments_are_refused(wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        advise(**{**SIZE, "n_visits": 100, **wrong})
    assert str(caught.value).startswith(sentence)
