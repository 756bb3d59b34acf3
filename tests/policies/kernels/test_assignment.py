"""Assignments beside exhaustive search and scipy's solver, from nothing and after changes."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from unirank.policies.kernels.assignment import (
    NOBODY,
    Assignment,
    no_assignment,
    prices_hold,
    reassign,
    solve,
    spread,
    weight_changed,
)

Weights = NDArray[np.float64]


def value(weights: Weights, items: NDArray[np.int64]) -> float:
    return float(weights[np.arange(len(weights)), items].sum())


def best_value(weights: Weights) -> float:
    """Of all lists, one by one."""
    n_positions, n_items = weights.shape
    return max(
        value(weights, np.array(items)) for items in permutations(range(n_items), n_positions)
    )


def scipy_items(weights: Weights) -> list[int]:
    _, items = linear_sum_assignment(weights, maximize=True)
    return [int(item) for item in items]


def check(found: Assignment, weights: Weights) -> None:
    """The assignment is one, and its prices prove it best."""
    n_positions, n_items = weights.shape
    assert len(set(found.items.tolist())) == n_positions
    for item in range(n_items):
        position = found.positions[item]
        assert found.prices[item] >= 0
        if position == NOBODY:
            assert item not in found.items
            assert found.prices[item] == 0
        else:
            assert found.items[position] == item
    worth = weights - found.prices
    own = worth[np.arange(n_positions), found.items]
    assert (own[:, None] >= worth - 1e-12).all()
    worth[np.arange(n_positions), found.items] = -np.inf
    assert (found.rivals >= worth.max(axis=1)).all()


@st.composite
def sizes_and_seed(draw: st.DrawFn) -> tuple[int, int, int]:
    n_items = draw(st.integers(1, 6))
    return draw(st.integers(1, n_items)), n_items, draw(st.integers(0, 2**32 - 1))


@settings(max_examples=200, deadline=None)
@given(sizes_and_seed(), st.sampled_from([2, 4, 1000]))
def test_no_list_is_worth_more_even_with_ties(case: tuple[int, int, int], n_values: int) -> None:
    n_positions, n_items, seed = case
    draws = np.random.default_rng(seed)
    weights = draws.integers(0, n_values, (n_positions, n_items)) / (n_values - 1)
    found = no_assignment(n_positions, n_items)
    assert reassign(found, weights)
    check(found, weights)
    assert value(weights, found.items) == pytest.approx(best_value(weights), abs=1e-12)


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (3, 3), (5, 10), (10, 10), (10, 100)], ids=str)
def test_a_unique_optimum_is_scipys(shape: tuple[int, int]) -> None:
    draws = np.random.default_rng(3)
    for _ in range(30):
        weights = draws.random(shape)
        found = no_assignment(*shape)
        reassign(found, weights)
        check(found, weights)
        assert found.items.tolist() == scipy_items(weights)


@pytest.mark.parametrize("shape", [(1, 4), (4, 4), (4, 5), (5, 10), (6, 30)], ids=str)
@pytest.mark.parametrize("size", [1.0, 0.1, 0.01])
def test_it_follows_changing_weights(shape: tuple[int, int], size: float) -> None:
    draws = np.random.default_rng(5)
    weights = draws.random(shape)
    found = no_assignment(*shape)
    reassign(found, weights)
    for _ in range(500):
        doubtful = False
        for position in range(shape[0]):
            item = int(draws.integers(shape[1]))
            if draws.random() < 0.5:
                item = int(found.items[position])
            weights[position, item] += size * (draws.random() - weights[position, item])
            doubtful |= weight_changed(found, weights, position, item)
        if doubtful:
            before = found.items.tolist()
            assert reassign(found, weights) or found.items.tolist() == before
        check(found, weights)
        assert found.items.tolist() == scipy_items(weights)


def test_before_the_first_solve_any_change_calls_for_one() -> None:
    found = no_assignment(2, 3)
    assert weight_changed(found, np.zeros((2, 3)), 0, 0)


def test_prices_leave_room_on_both_sides() -> None:
    # Item 0 is worth up to 0.5 more than item 1 to the only position: a price of half of that.
    found, weights = no_assignment(1, 2), np.array([[0.9, 0.4]])
    reassign(found, weights)
    assert found.prices.tolist() == [0.25, 0.0]
    assert found.rivals.tolist() == [0.4]
    weights[0, 0] = 0.7
    assert not weight_changed(found, weights, 0, 0)
    weights[0, 0] = 0.6  # doubtful, but still the best
    assert weight_changed(found, weights, 0, 0)
    assert not reassign(found, weights)
    weights[0, 1] = 0.61
    assert weight_changed(found, weights, 0, 1)
    assert reassign(found, weights)
    assert found.items.tolist() == [1]


def test_a_wrong_assignment_has_no_prices() -> None:
    weights = np.array([[0.9, 0.5, 0.1], [0.5, 0.4, 0.1]])
    found = no_assignment(2, 3)
    solve(found, weights)
    assert found.items.tolist() == [0, 1]
    assert spread(found, weights)
    assert prices_hold(found, weights)
    found.items[:], found.positions[:] = [1, 0], [1, 0, NOBODY]
    assert not spread(found, weights)
    found.items[:], found.positions[:] = [0, 2], [0, NOBODY, 1]
    assert not spread(found, weights)


def test_small_changes_call_for_nothing() -> None:
    # Lowest or highest prices alone would be doubted at the first fall of a shown item's weight.
    true = np.outer([1.0, 0.9, 0.83, 0.78, 0.75], [0.1, 0.08, 0.06, 0.04, 0.02, 0.0, 0.0])
    found, draws = no_assignment(5, 7), np.random.default_rng(1)
    reassign(found, true)
    for _ in range(100):
        weights = true + draws.uniform(-1e-4, 1e-4, true.shape)
        cells = [(position, item) for position in range(5) for item in range(7)]
        assert not any(weight_changed(found, weights, *cell) for cell in cells)
        assert found.items.tolist() == [0, 1, 2, 3, 4]
