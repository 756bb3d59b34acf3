"""The optimistic arm next to a leader is that of a search over all indices."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unirank.policies.kernels.tournament import empty_tournament
from unirank.policies.kernels.unimodal import ARM, UNPLAYED, lead, mean_of, most_optimistic, reward
from unirank.policies.plain.indices import budget, kl_ucb

records = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 40)).filter(lambda r: r[0] <= 2 * r[1]),
    min_size=1,
    max_size=8,
)


def arms_of(found: list[tuple[int, int]], unit: float, leads: int) -> Any:
    """Arms that gained and were played as told, the first one a leader for `leads` rounds."""
    arms = np.zeros(len(found), ARM)
    means, counts = empty_tournament(len(found))
    for arm, (gained, plays) in enumerate(found):
        for play in range(plays):
            reward(arms, means, counts, arm, float(gained) if play == 0 else 0.0, unit)
    arms[0]["leads"] = leads
    return arms, means, counts


@given(records, st.sampled_from([1, 2, 3, 10, 10**4]), st.sampled_from([3.0, 0.0]))
def test_it_is_the_largest_of_all_indices(
    found: list[tuple[int, int]], leads: int, weight: float
) -> None:
    arms, _, _ = arms_of(found, 2.0, leads)
    tied = np.zeros(len(found), np.int64)
    near = np.arange(len(found))
    n_tied = most_optimistic(arms, 0, near, 2.0, weight, tied)
    now = budget(leads, weight)
    indices = [kl_ucb(gained / (2 * plays), plays, now) for gained, plays in found]
    expected = [k for k, index in enumerate(indices) if index >= max(indices) - 1e-11]
    assert tied[:n_tied].tolist() == expected


def test_an_arm_never_played_ties_with_one_that_never_lost() -> None:
    arms, _, _ = arms_of([(3, 4), (5, 5)], 1.0, 100)
    tied = np.zeros(4, np.int64)
    n_tied = most_optimistic(arms, 0, np.array([0, 1, UNPLAYED, 0]), 1.0, 3.0, tied)
    assert tied[:n_tied].tolist() == [1, 2]


def test_indices_that_round_to_one_tie_below_an_arm_never_played() -> None:
    # One play, 8 or 9 of 10 gained: both indices are 1 to the last digit.
    arms, _, _ = arms_of([(8, 1), (9, 1), (1, 1)], 10.0, 10**6)
    tied = np.zeros(3, np.int64)
    assert most_optimistic(arms, 0, np.array([0, 1, 2]), 10.0, 3.0, tied) == 2
    assert most_optimistic(arms, 0, np.array([0, 1, UNPLAYED]), 10.0, 3.0, tied) == 1
    assert tied[0] == 2


@pytest.mark.parametrize(("period", "own"), [(1, [1, 2, 3, 4, 5, 6, 7]), (3, [1, 4, 7])])
def test_a_leader_is_played_in_its_first_round_and_each_period_later(
    period: int, own: list[int]
) -> None:
    arms = np.zeros(2, ARM)
    assert [n for n in range(1, 8) if lead(arms, 1, period)] == own
    assert arms["leads"].tolist() == [0, 7]


def test_a_reward_moves_the_mean_and_the_tournament() -> None:
    arms, means, counts = arms_of([(1, 2), (3, 4)], 1.0, 0)
    assert (means[1], counts[1]) == (0.75, 1)
    reward(arms, means, counts, 0, 1.0, 1.0)
    assert means[1] == 0.75
    reward(arms, means, counts, 0, 1.0, 1.0)
    assert (means[1], counts[1]) == (0.75, 2)
    assert (mean_of(0.0, 0, 1.0), mean_of(3.0, 2, 3.0)) == (0.0, 0.5)
