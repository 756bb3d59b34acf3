"""Verdicts on curves whose truth is known, and differences game by game."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import t as student

from tests.lab.plots.curves import ROUNDS as CHECKPOINTS
from tests.lab.plots.curves import curve as played_curve
from unirank import ArgumentError, Trace
from unirank.lab import evidence

ROUNDS = np.array([1, 10, 100, 1000, 10_000])


def trace(regret: NDArray[np.float64], games: list[int] | None = None) -> Trace:
    return Trace(
        policy="p",
        options={},
        click_model={},
        best_ranking=[0],
        n_positions=1,
        n_rounds=int(ROUNDS[-1]),
        seed=0,
        games=np.arange(len(regret)) if games is None else np.array(games),
        rounds=ROUNDS,
        regret=regret,
    )


def curve(
    shape: NDArray[np.float64], *, noise: float = 1.0, n_games: int = 20, seed: int = 0
) -> dict[str, Trace]:
    draw = np.random.default_rng(seed)
    return {
        problem: trace(shape + noise * draw.standard_normal((n_games, 1)) * shape / shape[-1])
        for problem in ("a", "b")
    }


LOGARITHM = 10 * np.log(ROUNDS) + 1
LINE = 0.05 * ROUNDS + 1.0
ROOT = 3 * np.sqrt(ROUNDS)


def test_the_standard_error_averages_within_problems_then_over_them() -> None:
    found = evidence.estimated([np.array([1.0, 3.0]), np.array([10.0, 10.0])])
    assert found.mean == 6.0
    assert found.error == pytest.approx(np.sqrt(2.0 / 2 + 0) / 2)


def test_a_clear_difference_holds_and_its_opposite_does_not() -> None:
    low, high = curve(LOGARITHM), curve(LOGARITHM + 20, seed=1)
    assert evidence.is_below(low, high, 10_000) == "holds"
    assert evidence.is_below(high, low, 10_000) == "does not hold"


def test_a_difference_within_chance_cannot_be_told() -> None:
    left, right = curve(LOGARITHM, noise=9.0), curve(LOGARITHM, noise=9.0, seed=1)
    assert evidence.is_below(left, right, 10_000) == "cannot tell"
    assert evidence.is_below(left, right, 10_000, or_equal=True) == "holds"


def test_games_are_paired() -> None:
    # The users differ far more than the policies: only pairs can tell.
    users = np.random.default_rng(3).standard_normal((20, 1)) * 1000
    noise = np.random.default_rng(4).standard_normal((20, 1))
    left = {"a": trace(LOGARITHM + users)}
    right = {"a": trace((LOGARITHM + users + noise + 5)[::-1], list(range(20))[::-1])}
    assert evidence.is_below(left, right, 10_000) == "holds"


def test_a_single_game_is_no_evidence() -> None:
    with pytest.raises(ArgumentError, match="n_games must be >= 2"):
        evidence.regret_at({"a": trace(np.ones((1, 5)))}, 10)


def test_logarithms_are_told_from_powers() -> None:
    assert evidence.is_logarithmic(curve(LOGARITHM), 10_000) == "holds"
    assert evidence.is_logarithmic(curve(LINE), 10_000) == "does not hold"
    assert evidence.is_logarithmic(curve(ROOT), 10_000) == "does not hold"
    assert evidence.is_logarithmic(curve(np.full(5, 7.0), noise=0.0), 10_000) == "holds"
    assert evidence.is_logarithmic(curve(LOGARITHM, noise=400.0, n_games=3), 10_000) == (
        "cannot tell"
    )


def test_the_slope_is_per_unit_of_the_logarithm() -> None:
    assert evidence.slope(curve(LOGARITHM, noise=0.0), 10_000).mean == pytest.approx(10.0)


def test_a_sentence_holds_if_all_of_it_does() -> None:
    assert evidence.together(["holds", "holds"]) == "holds"
    assert evidence.together(["holds", "cannot tell"]) == "cannot tell"
    assert evidence.together(["cannot tell", "does not hold"]) == "does not hold"


def test_estimates_are_printed_with_their_error() -> None:
    assert str(evidence.Estimate(12.34, 0.56)) == "12.3 ± 0.6"
    assert str(evidence.Estimate(-12345.6, 78.9)) == "-12,346 ± 79"


@pytest.mark.parametrize(("n_games", "one_in"), [(20, 136), (10, 67), (5, 25)])
def test_chance_alone_passes_as_often_as_is_said(n_games: int, one_in: int) -> None:
    chance = 2 * student.sf(evidence.Z, n_games - 1)
    assert round(1 / chance) == one_in
    assert f"in 1 of {one_in}" in " ".join((evidence.__doc__ or "").split())


def noisy(seed: int, games: list[int], problem: str = "one") -> Trace:
    random = np.random.default_rng(seed)
    regret = random.gamma(2, 10, (len(games), len(CHECKPOINTS)))
    trace = played_curve(problem=problem, n_games=len(games))
    return replace(trace, games=np.array(games), regret=regret)


def test_it_is_the_difference_of_the_verdicts_at_every_round() -> None:
    left = {"one": noisy(1, [0, 1, 2, 5]), "two": noisy(2, [4, 3, 9], "two")}
    right = {"two": noisy(3, [3, 4, 7, 9], "two"), "one": noisy(4, [1, 0, 2])}
    found = evidence.paired(left, right)
    assert found.rounds.tolist() == CHECKPOINTS.tolist()
    assert found.n_games == 6
    for place, round_ in enumerate(CHECKPOINTS):
        expected = evidence.difference(left, right, int(round_))
        assert found.mean[place] == pytest.approx(expected.mean)
        assert found.error[place] == pytest.approx(expected.error)


def test_a_single_game_has_no_error() -> None:
    found = evidence.paired({"one": noisy(1, [0])}, {"one": noisy(2, [0, 1])})
    assert found.n_games == 1
    assert np.isnan(found.error).all()


def test_only_the_checkpoints_of_both_count() -> None:
    right = noisy(2, [0, 1])
    few = replace(right, rounds=CHECKPOINTS[2:], regret=right.regret[:, 2:])
    left = noisy(1, [0, 1])
    found = evidence.paired({"one": left}, {"one": few})
    assert found.rounds.tolist() == CHECKPOINTS[2:].tolist()
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
        evidence.paired({"one": noisy(2, [0, 1])}, other)


def test_objectives_are_not_compared() -> None:
    left, right = ({"one": trace(np.ones((2, 5)))} for _ in range(2))
    right["one"] = replace(right["one"], objective="any-click")
    with pytest.raises(ArgumentError, match="must share games of a problem"):
        evidence.paired(left, right)
