"""Bounds of indices beside the indices, and the noise that breaks ties."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.randomness import POLICY, Rng
from unirank import ArgumentError
from unirank.policies.kernels.randomness import stream_key
from unirank.policies.plain.indices import kl_ucb
from unirank.policies.shared.cell_bounds import (
    NOISE,
    cells_with,
    count,
    draw_noise,
    index_at,
    lower,
    mean_of,
    new_cells,
    upper,
)

BUDGETS = st.sampled_from([0.0, 0.1, 1.0, 1.38, 2.0, 5.0, 12.0, 40.0])


def cell_with(shown: int, clicked: int) -> Any:
    return cells_with(1, 1, np.array([[shown]]), np.array([[clicked]]))[0, 0]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.booleans(), BUDGETS, st.integers(0, 3)), max_size=60))
def test_bounds_hold_whatever_was_asked_before(history: list[tuple[bool, float, int]]) -> None:
    cell = new_cells(1, 1)[0, 0]
    for click, budget, action in history:
        true = kl_ucb(mean_of(cell), int(cell["shown"]), budget)
        if action == 1:
            assert index_at(cell, budget) == pytest.approx(true, abs=1e-11)
        elif action == 2:
            assert upper(cell, budget) >= true - 1e-11
        elif action == 3:
            assert lower(cell, budget) <= true + 1e-11
        else:
            count(cell, click)


@pytest.mark.parametrize(("shown", "clicked"), [(0, 0), (3, 3), (7, 0)])
def test_cells_that_are_new_or_certain_have_sound_bounds(shown: int, clicked: int) -> None:
    cell = cell_with(shown, clicked)
    for budget in (0.0, 3.0, 1.0, 0.0):
        true = kl_ucb(mean_of(cell), shown, budget)
        assert index_at(cell, budget) == pytest.approx(true, abs=1e-12)
        assert lower(cell, budget) <= true + 1e-12
        assert upper(cell, budget) >= true - 1e-12


def test_noise_is_addressed_and_small() -> None:
    cells = new_cells(2, 3)
    draw_noise(cells, np.uint64(stream_key(5, 0, POLICY)))
    rng = Rng(5, 0, POLICY, 0)
    expected = [[NOISE * rng.uniform(3 * k + i) for i in range(3)] for k in range(2)]
    assert cells["noise"].tolist() == expected
    assert 0 < cells["noise"].max() < 1e-9


@pytest.mark.parametrize(
    ("shown", "clicked", "message"),
    [
        ([[1]], [[1, 0]], "shape"),
        ([[-1, 0]], [[0, 0]], "shown must be counts"),
        ([[2**62, 0]], [[0, 0]], "shown must be counts"),
        ([[1, 1]], [[2, 0]], "clicked must be counts"),
        ([[1, 1]], [[-1, 0]], "clicked must be counts"),
    ],
)
def test_forged_counts_are_refused(
    shown: list[list[int]], clicked: list[list[int]], message: str
) -> None:
    with pytest.raises(ArgumentError, match=message):
        cells_with(1, 2, np.array(shown), np.array(clicked))
