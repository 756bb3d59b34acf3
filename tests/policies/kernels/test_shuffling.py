"""Shuffles equal to the twin's, and chi-square tests that every outcome is as likely.

Fixed seeds; a p-value between SIGNIFICANCE and 1 - SIGNIFICANCE is asked for.
"""

from itertools import permutations
from math import perm

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from tests.reference import randomness as twin
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import POLICY, address, at_round, stream_key
from unirank.policies.kernels.shuffling import shuffle_prefix

SIGNIFICANCE = 1e-4
N_SHUFFLES = 100_000


@compiled
def shuffle_often(
    key: np.uint64, start: int, end: int, n_drawn: int, results: NDArray[np.int64]
) -> None:
    for n in range(results.shape[0]):
        shuffle_prefix(results[n], start, end, n_drawn, at_round(key, n))


def shuffled(n_items: int, start: int, end: int, n_drawn: int) -> NDArray[np.int64]:
    results = np.tile(np.arange(n_items), (N_SHUFFLES, 1))
    shuffle_often(np.uint64(stream_key(4, 0, POLICY)), start, end, n_drawn, results)
    return results


def p_value(samples: NDArray[np.int64], outcomes: list[tuple[int, ...]]) -> float:
    seen = dict.fromkeys(outcomes, 0)
    for sample in map(tuple, samples.tolist()):
        seen[sample] += 1
    return float(stats.chisquare(list(seen.values())).pvalue)


@pytest.mark.parametrize("n_items", [2, 3, 4, 5])
def test_every_order_is_as_likely(n_items: int) -> None:
    orders = list(permutations(range(n_items)))
    chance = p_value(shuffled(n_items, 0, n_items, n_items), orders)
    assert SIGNIFICANCE < chance < 1 - SIGNIFICANCE


@pytest.mark.parametrize(("n_items", "n_drawn"), [(5, 1), (5, 2), (5, 3), (7, 2), (3, 2)])
def test_every_ordered_sample_is_as_likely(n_items: int, n_drawn: int) -> None:
    outcomes = list(permutations(range(n_items), n_drawn))
    assert len(outcomes) == perm(n_items, n_drawn)
    chance = p_value(shuffled(n_items, 0, n_items, n_drawn)[:, :n_drawn], outcomes)
    assert SIGNIFICANCE < chance < 1 - SIGNIFICANCE


def test_every_order_of_a_part_in_the_middle_is_as_likely() -> None:
    chance = p_value(shuffled(6, 2, 5, 6)[:, 2:5], list(permutations((2, 3, 4))))
    assert SIGNIFICANCE < chance < 1 - SIGNIFICANCE


def test_two_parts_of_one_page_are_shuffled_independently() -> None:
    first, second = shuffled(6, 0, 3, 6)[:, :3], shuffled(6, 3, 6, 6)[:, 3:]
    both = [a + b for a in permutations((0, 1, 2)) for b in permutations((3, 4, 5))]
    assert SIGNIFICANCE < p_value(np.hstack((first, second)), both) < 1 - SIGNIFICANCE


@given(st.integers(0, 2**62), st.integers(1, 2**40 - 1), st.integers(1, 12), st.data())
def test_shuffles_are_those_of_the_twin(seed: int, round: int, n: int, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, n - 1))
    end = data.draw(st.integers(start, n))
    n_drawn = data.draw(st.integers(0, n))
    items = np.arange(n)
    shuffle_prefix(items, start, end, n_drawn, address(seed, 0, POLICY, round))
    rng = twin.Rng(seed, 0, POLICY, round)
    part = twin.shuffled_prefix(list(range(start, end)), start, n_drawn, rng)
    assert items.tolist() == [*range(start), *part, *range(end, n)]
