"""The largest indices in decreasing order, and every order of equal ones as likely."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from tests.reference import randomness as twin
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import POLICY, address, at_round, stream_key
from unirank.policies.kernels.selection import chance_of, top_k

SIGNIFICANCE = 1e-4
N_DRAWS = 60_000
TIES = [
    ([0.5, 0.5, 0.5], 3),  # all equal
    ([0.5, 0.5, 0.5, 0.5], 2),  # more than there is room for
    ([0.1, 0.7, 0.3, 0.7], 3),  # at the top
    ([0.9, 0.2, 0.2, 0.2, 0.1], 2),  # at the border
    ([0.5, 0.1, 0.5, 0.1, 0.5], 4),  # inside and at the border
    ([np.inf, 0.3, np.inf], 2),
]


@compiled
def select_often(indices: NDArray[np.float64], key: np.uint64, results: NDArray[np.int64]) -> None:
    for n in range(results.shape[0]):
        top_k(indices, at_round(key, n), results[n])


def possible(indices: list[float], n_positions: int) -> set[tuple[int, ...]]:
    """Prefixes of all the orders in which no index is before a larger one."""
    orders = permutations(range(len(indices)))
    return {
        order[:n_positions]
        for order in orders
        if all(indices[a] >= indices[b] for a, b in pairwise(order))
    }


@given(st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.5, 1.0, np.inf]), min_size=1), st.data())
def test_rankings_are_those_of_a_sort(indices: list[float], data: st.DataObject) -> None:
    n_positions = data.draw(st.integers(1, len(indices)))
    seed, round_ = data.draw(st.integers(0, 2**62)), data.draw(st.integers(1, 2**40 - 1))
    ranking = np.full(n_positions, -1)
    top_k(np.array(indices), address(seed, 0, POLICY, round_), ranking)
    rng = twin.Rng(seed, 0, POLICY, round_)
    items = sorted(range(len(indices)), key=lambda item: (-indices[item], rng.uniform(item)))
    assert ranking.tolist() == items[:n_positions]


@pytest.mark.parametrize(("indices", "n_positions"), TIES)
def test_every_order_of_equal_indices_is_as_likely(indices: list[float], n_positions: int) -> None:
    results = np.empty((N_DRAWS, n_positions), np.int64)
    select_often(np.array(indices), np.uint64(stream_key(5, 0, POLICY)), results)
    seen = dict.fromkeys(possible(indices, n_positions), 0)
    for ranking in map(tuple, results.tolist()):
        seen[ranking] += 1
    chance = stats.chisquare(list(seen.values())).pvalue
    assert SIGNIFICANCE < chance < 1 - SIGNIFICANCE


@pytest.mark.parametrize(("indices", "n_positions"), TIES)
def test_the_chance_is_one_over_the_number_of_orders(
    indices: list[float], n_positions: int
) -> None:
    rankings = possible(indices, n_positions)
    for ranking in rankings:
        chance = chance_of(np.array(indices), np.array(ranking))
        assert chance == pytest.approx(1 / len(rankings), rel=1e-12)


def test_different_indices_leave_nothing_to_chance() -> None:
    assert chance_of(np.array([0.3, 0.1, 0.2]), np.array([0, 2])) == 1.0
    assert chance_of(np.array([0.3, 0.1, 0.2]), np.array([0, 1])) == 0.0
