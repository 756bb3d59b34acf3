"""Mended assignments beside scipy's, while a few weights change."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from unirank.kernels.assignment import no_assignment, solve
from unirank.kernels.exchange import (
    HOLDER,
    find_rivals,
    find_spares,
    first_loose,
    mend,
)

SIZES = [(1, 1), (1, 4), (2, 2), (3, 7), (5, 6), (6, 6), (8, 30)]


@pytest.mark.parametrize(("n_positions", "n_items"), SIZES)
@pytest.mark.parametrize("n_changes", [1, 3, 40])
def test_the_assignment_stays_the_best(n_positions: int, n_items: int, n_changes: int) -> None:
    draws = np.random.default_rng(n_items)
    weights = draws.random((n_positions, n_items))
    found, holders = no_assignment(n_positions, n_items), np.zeros(n_positions + 1, HOLDER)
    solve(found, weights)
    for _ in range(150):
        for _ in range(n_changes):
            at = draws.integers(n_positions), draws.integers(n_items)
            weights[at] = draws.choice([0.0, 0.5, draws.random()]) + 1e-9 * draws.random()
        find_spares(holders, found, weights)
        find_rivals(holders, found, weights)
        for _ in range(n_positions):  # each position once at most
            loose = first_loose(holders, found, weights)
            if loose < 0:
                break
            mend(holders, found, weights, loose)
            spares = holders["spare"].copy()
            find_spares(holders, found, weights)
            assert (spares == holders["spare"]).all()
            find_rivals(holders, found, weights)
        assert first_loose(holders, found, weights) < 0
        _, best = linear_sum_assignment(weights, maximize=True)
        assert found.items.tolist() == best.tolist()
        held = found.positions >= 0
        assert found.items[found.positions[held]].tolist() == np.flatnonzero(held).tolist()
        assert (found.prices >= 0).all()
        assert (found.prices[~held] == 0).all()


def test_a_hole_of_rounding_errors_is_none() -> None:
    weights = np.array([[0.5, 0.5 + 1e-15]])
    found, holders = no_assignment(1, 2), np.zeros(2, HOLDER)
    found.items[0], found.positions[0] = 0, 0
    find_spares(holders, found, weights)
    find_rivals(holders, found, weights)
    assert first_loose(holders, found, weights) < 0
    weights[0, 1] += 1e-14
    find_rivals(holders, found, weights)
    assert first_loose(holders, found, weights) == 0
