"""The drift of an index beside the indices themselves."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unirank.policies.plain.indices import kl_ucb
from unirank.policies.shared.cell_bounds import new_cells
from unirank.policies.shared.index_drift import DRIFT, FEW, add_show, start_drift


def started(shown: int, clicked: int, budget: float) -> tuple[Any, float]:
    """The drift of a cell with these counts, and its index."""
    cell, drift = new_cells(1, 1)[0], np.zeros(1, DRIFT)
    cell["shown"], cell["clicked"] = shown, clicked
    index = kl_ucb(clicked / shown, shown, budget)
    start_drift(drift[0], cell[0], index, index)
    return drift[0], index


@given(
    st.integers(1, 10**6),
    st.floats(0, 1),
    st.floats(0, 40),
    st.floats(0, 1),
    st.randoms(use_true_random=False),
)
def test_the_index_is_within_its_drift(
    shown: int, rate: float, budget: float, later_rate: float, draws: Any
) -> None:
    clicked = round(rate * shown)
    drift, index = started(shown, clicked, budget)
    for _ in range(200):
        click = draws.random() < later_rate
        shown, clicked = shown + 1, clicked + click
        if not add_show(drift, click):
            return
        change = kl_ucb(clicked / shown, shown, budget) - index
        assert drift["low"] - 2e-12 <= change <= drift["high"] + 2e-12


def test_the_drift_is_close_to_what_the_index_does() -> None:
    drift, index = started(100_000, 10_000, 20.0)
    assert all(add_show(drift, number % 10 == 0) for number in range(500))
    change = kl_ucb(10_050 / 100_500, 100_500, 20.0) - index
    swing = 450 * drift["most_fall"]  # what the falls come to, if no rises made up for them
    assert drift["low"] == pytest.approx(change, abs=0.1 * swing)
    assert drift["high"] == pytest.approx(change, abs=0.1 * swing)


def test_nothing_is_known_beyond_the_region() -> None:
    drift, _ = started(FEW - 1, 10, 5.0)
    assert not add_show(drift, False)
    drift, _ = started(10_000, FEW - 1, 5.0)
    assert add_show(drift, False)
    assert not add_show(drift, True)
    drift, _ = started(10_000, 5_000, 5.0)
    assert [add_show(drift, number % 2 == 0) for number in range(101)] == [True] * 100 + [False]
