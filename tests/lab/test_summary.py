"""Regret by decade."""

import pytest

from unirank import CM, simulate
from unirank.lab.summary import decades, regret_rows


@pytest.mark.parametrize(
    ("n_rounds", "expected"), [(10, [10]), (1000, [1000]), (25_000, [1000, 10_000])]
)
def test_decades_start_at_a_thousand(n_rounds: int, expected: list[int]) -> None:
    assert decades(n_rounds) == expected


def test_rows_hold_mean_error_and_the_worst_game() -> None:
    trace = simulate("random", CM([0.5, 0.1]), n_positions=1, n_rounds=2000, n_games=3)
    (row,) = regret_rows([trace])
    assert row["round"] == 1000
    assert row["mean"] == pytest.approx(trace.at(1000).mean())
    assert row["worst"] == trace.at(1000).max()


def test_own_checkpoints_give_the_nearest_round_before_a_decade() -> None:
    trace = simulate(
        "random", CM([0.5, 0.1]), n_positions=1, n_rounds=2000, n_games=2, checkpoints=[700, 2000]
    )
    assert [row["round"] for row in regret_rows([trace])] == [700]
