"""Regret by decade."""

from dataclasses import replace

import numpy as np
import pytest

from tests.lab.plots.curves import curve
from unirank import CM, simulate
from unirank.errors import ArgumentError
from unirank.lab.summary import decades, gain_rows, gained, pooled, regret_rows


@pytest.mark.parametrize(
    ("n_rounds", "expected"), [(10, [10]), (1000, [1000]), (25_000, [1000, 10_000, 25_000])]
)
def test_decades_start_at_a_thousand_and_the_last_round_is_there(
    n_rounds: int, expected: list[int]
) -> None:
    assert decades(n_rounds) == expected


def test_rows_say_how_the_games_spread() -> None:
    trace = curve(n_games=37)
    rows = regret_rows([trace])
    assert [row["round"] for row in rows] == [1000, 10_000]
    for row in rows:
        games = trace.at(row["round"])
        assert row["mean"] == pytest.approx(np.mean(games))
        assert row["standard_error"] == pytest.approx(np.std(games, ddof=1) / np.sqrt(37))
        assert row["median"] == np.median(games)
        assert row["p95"] == np.percentile(games, 95)
        assert row["worst"] == np.max(games)
        assert row["n_games"] == 37


def test_own_checkpoints_give_the_nearest_round_before_a_decade() -> None:
    trace = simulate(
        "random", CM([0.5, 0.1]), n_positions=1, n_rounds=2000, n_games=2, checkpoints=[700, 2000]
    )
    assert [row["round"] for row in regret_rows([trace])] == [700, 2000]


def test_problems_count_alike_though_one_has_more_games() -> None:
    few, many = (
        replace(
            simulate("random", CM([0.5, 0.1]), n_positions=1, n_rounds=50, n_games=n), problem=q
        )
        for n, q in ((2, "a"), (5, "b"))
    )
    (together,) = pooled([few, many])
    assert together.n_games == 4
    apart = pooled([replace(few, part="one"), replace(many, part="two")])
    assert [(trace.part, trace.n_games) for trace in apart] == [("one", 2), ("two", 5)]
    np.testing.assert_array_equal(together.regret, [*few.regret, *many.regret[:2]])


def test_objectives_are_not_pooled() -> None:
    both = [curve(), replace(curve(), objective="any-click")]
    assert [trace.n_games for trace in pooled(both)] == [4, 4]


def test_gain_stands_in_rows_of_its_own() -> None:
    trace = simulate("random", CM([0.5, 0.3, 0.1]), n_positions=1, n_rounds=1000, n_games=3)
    (row,) = gain_rows([trace], [2])
    assert row["mean"] == pytest.approx(0.4 * 1000 - trace.mean[-1])
    assert row["standard_error"] == pytest.approx(trace.standard_error[-1])
    assert np.array_equal(gained(trace, [2]).regret, trace.gain([2]))
    assert np.array_equal(pooled([trace])[0].gain([2]), trace.gain([2]))


def test_problems_put_together_have_no_order_in_common() -> None:
    trace = simulate("random", CM([0.5, 0.3, 0.1]), n_positions=1, n_rounds=100, n_games=3)
    (both,) = pooled([replace(trace, problem="a"), replace(trace, problem="b")])
    with pytest.raises(ArgumentError, match=r"^gain needs the trace of one problem"):
        both.gain([2])
