from collections.abc import Callable

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from unirank.policies.kernels.partition import elicit
from unirank.policies.plain.leader import elicit_leader
from unirank.policies.plain.partitions import Partition, displayed_subsets

Differences = list[list[int]]


def antisymmetric(n_items: int, difference: Callable[[int, int], int]) -> Differences:
    matrix = [[0] * n_items for _ in range(n_items)]
    for i in range(n_items):
        for j in range(i):
            matrix[i][j] = difference(i, j)
            matrix[j][i] = -matrix[i][j]
    return matrix


@st.composite
def any_differences(draw: st.DrawFn) -> Differences:
    n_items = draw(st.integers(1, 7))
    return antisymmetric(n_items, lambda i, j: draw(st.integers(-2, 2)))


@st.composite
def grouped_differences(draw: st.DrawFn) -> Differences:
    """Groups in an order, cycles and ties inside each, at most one pair the wrong way round."""
    groups = draw(st.lists(st.integers(0, 4), min_size=1, max_size=10))
    wrong = draw(st.tuples(st.integers(0, 9), st.integers(0, 9)))

    def difference(i: int, j: int) -> int:
        if groups[i] == groups[j] or (i, j) == wrong:
            return draw(st.integers(-1, 1))
        return groups[j] - groups[i]

    return antisymmetric(len(groups), difference)


def doubled_copeland_scores(differences: Differences) -> NDArray[np.int64]:
    signs = np.sign(np.array(differences))
    scores: NDArray[np.int64] = np.sum(signs + 1, axis=1) - 1  # less the 1 of i against itself
    return scores


def elicited(
    differences: Differences, n_positions: int
) -> tuple[Partition, int, NDArray[np.int64]]:
    n_items = len(differences)
    scores = doubled_copeland_scores(differences)
    start_of = np.full(2 * n_items - 1, -7)  # what was there before must not matter
    order, ends = np.full(n_items, -7), np.full(n_items + 1, -7)
    taken = elicit(scores, n_positions, start_of, order, ends)
    subsets, start = [], 0
    while start < n_items:
        subsets.append(tuple(int(item) for item in order[start : ends[start]]))
        start = int(ends[start])
    return tuple(subsets), taken, start_of[scores]


@settings(max_examples=200)
@given(st.one_of(any_differences(), grouped_differences()))
def test_the_partition_is_that_of_the_literal_algorithm(differences: Differences) -> None:
    for n_positions in range(1, len(differences) + 1):
        partition, _, _ = elicited(differences, n_positions)
        assert partition == elicit_leader(differences, n_positions)


@given(grouped_differences())
def test_it_counts_the_items_of_the_subsets_on_the_page(differences: Differences) -> None:
    for n_positions in range(1, len(differences) + 1):
        partition, taken, _ = elicited(differences, n_positions)
        assert taken == sum(map(len, displayed_subsets(partition, n_positions)))


@given(grouped_differences())
def test_it_says_of_each_score_where_its_subset_starts(differences: Differences) -> None:
    for n_positions in range(1, len(differences) + 1):
        partition, _, starts = elicited(differences, n_positions)
        for subset in partition:
            first = sum(len(earlier) for earlier in partition[: partition.index(subset)])
            assert {int(starts[item]) for item in subset} == {first}


def test_nothing_known_is_one_subset() -> None:
    assert elicited([[0] * 4] * 4, 2)[0] == ((0, 1, 2, 3),)


def test_a_strict_order_is_cut_into_single_items_as_far_as_the_page() -> None:
    differences = antisymmetric(5, lambda i, j: i - j)
    assert elicited(differences, 3)[0] == ((4,), (3,), (2,), (0, 1))


def test_a_cycle_is_not_cut() -> None:
    cycle = [[0, 1, -1, 1], [-1, 0, 1, 1], [1, -1, 0, 1], [-1, -1, -1, 0]]
    assert elicited(cycle, 1)[0] == ((0, 1, 2), (3,))
