"""Differences game by game, at every checkpoint."""

from dataclasses import replace

import numpy as np
import pytest

from tests.plots.curves import ROUNDS, curve
from unirank import ArgumentError, Trace
from unirank.lab.evidence import difference
from unirank.lab.pairing import paired


def noisy(seed: int, games: list[int], problem: str = "one") -> Trace:
    random = np.random.default_rng(seed)
    regret = random.gamma(2, 10, (len(games), len(ROUNDS)))
    trace = curve(problem=problem, n_games=len(games))
    return replace(trace, games=np.array(games), regret=regret)


def test_it_is_the_difference_of_the_verdicts_at_every_round() -> None:
    left = {"one": noisy(1, [0, 1, 2, 5]), "two": noisy(2, [4, 3, 9], "two")}
    right = {"two": noisy(3, [3, 4, 7, 9], "two"), "one": noisy(4, [1, 0, 2])}
    found = paired(left, right)
    assert found.rounds.tolist() == ROUNDS.tolist()
    assert found.n_games == 6
    for place, round_ in enumerate(ROUNDS):
        expected = difference(left, right, int(round_))
        assert found.mean[place] == pytest.approx(expected.mean)
        assert found.error[place] == pytest.approx(expected.error)


def test_luck_that_both_share_cancels_out() -> None:
    left, right = noisy(1, [0, 1, 2]), noisy(1, [0, 1, 2])
    found = paired({"one": replace(left, regret=left.regret + 3)}, {"one": right})
    assert found.mean == pytest.approx(3)
    assert found.error == pytest.approx(0)


def test_a_single_game_has_no_error() -> None:
    found = paired({"one": noisy(1, [0])}, {"one": noisy(2, [0, 1])})
    assert found.n_games == 1
    assert np.isnan(found.error).all()


def test_only_the_checkpoints_of_both_count() -> None:
    right = noisy(2, [0, 1])
    few = replace(right, rounds=ROUNDS[2:], regret=right.regret[:, 2:])
    left = noisy(1, [0, 1])
    found = paired({"one": left}, {"one": few})
    assert found.rounds.tolist() == ROUNDS[2:].tolist()
    assert found.mean == pytest.approx((left.regret - right.regret).mean(axis=0)[2:])


@pytest.mark.parametrize(
    "other",
    [
        {"two": noisy(1, [0, 1], "two")},
        {"one": noisy(1, [5, 6])},
        {"one": replace(noisy(1, [0, 1]), click_model={"click_model": "pbm"})},
    ],
    ids=["problems", "games", "users"],
)
def test_nothing_shared_is_an_error(other: dict[str, Trace]) -> None:
    with pytest.raises(ArgumentError, match="must share games of a problem"):
        paired({"one": noisy(2, [0, 1])}, other)
