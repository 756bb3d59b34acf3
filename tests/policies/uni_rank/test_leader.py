"""The leader: the partition of Algorithm 2, its fingerprint, and what follows from statistics."""

from itertools import chain, combinations, permutations, product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.policies.situations import leaders_met, play, policy_with
from unirank import ArgumentError, UniRank
from unirank.policies.plain.leader import dominates
from unirank.policies.plain.leader import elicit_leader as literal_leader
from unirank.policies.uni_rank.leader import elicit_leader, refresh_leader
from unirank.policies.uni_rank.state import subsets


@st.composite
def differences(draw: st.DrawFn) -> NDArray[np.int64]:
    """Any antisymmetric matrix, most often with cycles and undecided pairs."""
    n_items = draw(st.integers(1, 9))
    largest = draw(st.sampled_from([1, 1, 5, 10**6]))
    matrix = np.zeros((n_items, n_items), np.int64)
    for i, j in combinations(range(n_items), 2):
        matrix[i, j] = draw(st.integers(-largest, largest))
    return matrix - matrix.T


@st.composite
def nearly_ordered(draw: st.DrawFn) -> NDArray[np.int64]:
    """Items in a random order, where the neighbouring pairs may be undecided or the other way."""
    n_items = draw(st.integers(2, 9))
    order = draw(st.permutations(range(n_items)))
    matrix = np.zeros((n_items, n_items), np.int64)
    for a, b in combinations(range(n_items), 2):
        matrix[order[a], order[b]] = draw(st.integers(-1, 1)) if b - a == 1 else 1
    return matrix - matrix.T


matrices = st.one_of(differences(), nearly_ordered())


def leader_and_key(matrix: NDArray[np.int64], n_positions: int) -> tuple[Any, int]:
    policy = policy_with(np.maximum(matrix, 0), n_positions)
    return policy.leader, int(policy.state.now["key"][0])


def all_tournaments(n_items: int) -> list[NDArray[np.int64]]:
    pairs = list(combinations(range(n_items), 2))
    found = []
    for signs in product((-1, 0, 1), repeat=len(pairs)):
        matrix = np.zeros((n_items, n_items), np.int64)
        matrix[tuple(np.transpose(pairs))] = signs
        found.append(matrix - matrix.T)
    return found


@given(matrices, st.data())
def test_the_leader_is_that_of_the_literal_algorithm(
    matrix: NDArray[np.int64], data: st.DataObject
) -> None:
    n_positions = data.draw(st.integers(1, len(matrix)))
    assert elicit_leader(matrix, n_positions) == literal_leader(matrix.tolist(), n_positions)


@pytest.mark.parametrize("n_positions", [1, 2, 3, 4])
def test_all_leaders_of_four_items_are_those_of_the_literal_algorithm(n_positions: int) -> None:
    for matrix in all_tournaments(4):
        assert elicit_leader(matrix, n_positions) == literal_leader(matrix.tolist(), n_positions)


@given(matrices, st.data())
def test_earlier_subsets_are_ahead_of_all_later_ones(
    matrix: NDArray[np.int64], data: st.DataObject
) -> None:
    leader = elicit_leader(matrix, data.draw(st.integers(1, len(matrix))))
    for n, subset in enumerate(leader):
        assert dominates(matrix.tolist(), subset, list(chain(*leader[n + 1 :])))


@given(matrices, st.data())
def test_the_subsets_but_the_last_displayed_do_not_fill_the_page(
    matrix: NDArray[np.int64], data: st.DataObject
) -> None:
    n_positions = data.draw(st.integers(1, len(matrix)))
    sizes = np.cumsum([len(subset) for subset in elicit_leader(matrix, n_positions)])
    assert (sizes >= n_positions).sum() in (1, 2)  # the last displayed, and the rest behind it


@given(matrices)
def test_a_page_of_all_items_has_no_rest(matrix: NDArray[np.int64]) -> None:
    leader = elicit_leader(matrix, len(matrix))
    assert sum(map(len, leader[:-1])) < len(matrix) == sum(map(len, leader))


@given(matrices, st.data())
def test_relabelling_items_relabels_the_leader(
    matrix: NDArray[np.int64], data: st.DataObject
) -> None:
    n_positions = data.draw(st.integers(1, len(matrix)))
    old = data.draw(st.permutations(range(len(matrix))))  # new item n is the old item old[n]
    renamed = elicit_leader(matrix[np.ix_(old, old)], n_positions)
    expected = [set(subset) for subset in elicit_leader(matrix, n_positions)]
    assert [{old[item] for item in subset} for subset in renamed] == expected


@pytest.mark.parametrize(
    ("given_differences", "sentence"),
    [
        ([1, 2], "differences must be a square matrix, got shape (2,)"),
        ([[0, 1]], "differences must be a square matrix, got shape (1, 2)"),
        (np.zeros((0, 0), int), "differences must be a square matrix, got shape (0, 0)"),
        (
            [[0, 1], [1, 0]],
            "differences must be antisymmetric, got [0, 1] = 1 and [1, 0] = 1",
        ),
        ([[1]], "differences must be antisymmetric, got [0, 0] = 1 and [0, 0] = 1"),
        ([[0.0, 0.5], [-0.5, 0.0]], "differences must be integers, got float64"),
        ([[0, 1], [1]], "differences must be a square matrix, got uneven rows"),
    ],
)
def test_a_matrix_of_no_differences_is_refused(given_differences: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        elicit_leader(given_differences, 1)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("n_positions", [0, 3])
def test_positions_must_fit_the_items(n_positions: int) -> None:
    with pytest.raises(ArgumentError) as caught:
        elicit_leader(np.zeros((2, 2), int), n_positions)
    assert str(caught.value) == f"n_positions must be in 1..n_items=2, got {n_positions}"


# Fingerprints and counts.


@pytest.mark.parametrize("n_positions", [1, 2, 3, 4])
def test_leaders_have_the_same_fingerprint_exactly_when_they_are_equal(n_positions: int) -> None:
    found = {leader_and_key(matrix, n_positions) for matrix in all_tournaments(4)}
    leaders, keys = {leader for leader, _ in found}, {key for _, key in found}
    assert len(leaders) == len(keys) == len(found)


def test_the_order_of_subsets_matters_to_the_fingerprint() -> None:
    strict = np.triu(np.ones((4, 4), np.int64), 1)
    orders = [np.ix_(order, order) for order in permutations(range(4))]
    keys = {leader_and_key(strict[order] - strict[order].T, 4)[1] for order in orders}
    assert len(keys) == 24


def test_no_fingerprint_is_the_mark_of_a_free_place() -> None:
    assert all(leader_and_key(matrix, 2)[1] != 0 for matrix in all_tournaments(3))


@pytest.mark.parametrize("seed", range(3))
def test_every_round_is_counted_for_one_leader(seed: int) -> None:
    policy = UniRank(6, 3, seed=seed)
    play(policy, 200, Random(seed))
    assert sum(leaders_met(policy).values()) == 200


def test_a_leader_that_comes_back_goes_on_counting() -> None:
    policy = UniRank(2, 2)
    for _ in range(3):
        policy.rank()
    policy.update(1, [0])
    policy.rank()
    assert (policy.leader, policy.explain().n_rounds) == (((0,), (1,)), 1)
    policy.update(2, [1])
    assert (policy.leader, policy.explain().n_rounds) == (((0, 1),), 3)


def test_refreshing_again_without_new_clicks_changes_nothing() -> None:
    policy = UniRank(5, 3, seed=1)
    play(policy, 50, Random(1))
    refresh_leader(policy.state, 3)
    before = [np.copy(array) for array in policy.state]
    refresh_leader(policy.state, 3)
    assert all(map(np.array_equal, policy.state, before))


def test_the_subsets_hold_every_item_once() -> None:
    policy = UniRank(9, 4, seed=2)
    for _ in range(50):
        play(policy, 2, Random(policy.round))
        refresh_leader(policy.state, 4)
        assert sorted(chain(*subsets(policy.state))) == list(range(9))
