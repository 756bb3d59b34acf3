"""Clusters of SAM on rankings: where they are cut, and what a file may say of them."""

from typing import Any

import numpy as np
import pytest

from unirank import ArgumentError
from unirank.policies import SAM
from unirank.policies.sam.state import State, cut, initial_state


def cluster_with(clicked: list[int], n_rounds: int, horizon: int) -> State:
    state = initial_state(len(clicked), horizon)
    state.clicked[:] = clicked
    state.rounds[:] = n_rounds
    cut(state, 0, len(clicked))
    return state


def test_a_cluster_is_cut_at_every_gap_of_more_than_two_widths() -> None:
    # Two widths, in clicks, are 2 sqrt(100 ln 8) = 28.8.
    state = cluster_with([10, 39, 38, 68, 0], 100, 8)
    assert state.order.tolist() == [3, 1, 2, 0, 4]
    assert [int(state.ends[start]) for start in (0, 1)] == [1, 5]
    state = cluster_with([9, 38, 39, 68, 0], 100, 8)
    assert state.order.tolist() == [3, 2, 1, 0, 4]
    assert [int(state.ends[start]) for start in (0, 1, 3)] == [1, 3, 5]


def test_nobody_moves_without_a_cut() -> None:
    state = cluster_with([0, 28, 56, 20], 100, 8)
    assert state.order.tolist() == [0, 1, 2, 3]
    assert state.ends[0] == 4


def test_equal_members_keep_their_order() -> None:
    state = cluster_with([5, 90, 5, 90], 100, 8)
    assert state.order.tolist() == [1, 3, 0, 2]


GOOD: dict[str, Any] = {
    "order": [2, 0, 1],
    "starts": [0, 1],
    "turns": [0, 1],
    "clicked": [3, 2, 6],
    "rounds": [6, 6, 8],
    "pending": [1, 0, 0],
    "answered": [False, True, False],
}


def restored(**forged: Any) -> SAM:
    policy = SAM(3, 2, horizon=10)
    types = {name: array.dtype for name, array in policy.statistics().items()}
    policy.restore({n: np.array(v, types[n]) for n, v in {**GOOD, **forged}.items()})
    return policy


def test_good_statistics_are_taken_as_they_are() -> None:
    policy = restored()
    assert policy.clusters == ((2,), (0, 1))
    assert {n: array.tolist() for n, array in policy.statistics().items()} == GOOD
    assert policy.rank().items == (2, 1)
    policy.update(1, [1])
    assert policy.statistics()["clicked"].tolist() == [4, 3, 6]
    assert policy.statistics()["rounds"].tolist() == [8, 8, 8]


@pytest.mark.parametrize(
    ("forged", "sentence"),
    [
        ({"order": [0, 0, 1]}, "order must hold each of 3 items once"),
        ({"order": 5}, "order must hold each of 3 items once"),
        ({"starts": [1, 2]}, "starts must be where clusters start, ascending from 0"),
        ({"starts": [0, 3]}, "starts must be where clusters start, ascending from 0"),
        ({"starts": [0, 2, 1]}, "starts must be where clusters start, ascending from 0"),
        ({"starts": []}, "starts must be where clusters start, ascending from 0"),
        ({"starts": 0}, "starts must be where clusters start, ascending from 0"),
        ({"turns": [0, 2]}, "turns must be one turn per cluster, below its size"),
        ({"turns": [0]}, "turns must be one turn per cluster, below its size"),
        ({"clicked": [-1, 2, 6]}, "clicked must be 3 counts"),
        ({"clicked": [7, 2, 6]}, "clicked must be at most one per round"),
        ({"rounds": [2**61] * 3}, "rounds must be 3 counts"),
        ({"rounds": [6, 7, 8]}, "rounds must be equal within a cluster"),
        ({"pending": [2, 0, 0]}, "pending must be clicks of the answered turns of an open cycle"),
        (
            {"answered": [False, True, True]},
            "pending must be clicks of the answered turns of an open cycle",
        ),
        ({"answered": [False, True]}, "answered must be 3 truth values"),
    ],
)
def test_forged_statistics_are_refused(forged: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        restored(**forged)
    assert str(caught.value) == sentence
