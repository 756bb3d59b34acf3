"""What is said of pairs follows from the wins, and what is sure from the interval."""

import numpy as np
import pytest

from tests.policies.situations import policy_with
from unirank import ArgumentError
from unirank.policies import GRAB
from unirank.policies.kernels.indices import budget, kl_ucb
from unirank.policies.uni_rank.pairs import budget_of, evidence_of, pairs_of

WINS = [[0, 9, 30, 0], [4, 0, 17, 0], [1, 6, 0, 0], [0, 0, 0, 0]]


def test_differences_and_comparisons_are_those_of_the_wins() -> None:
    known = pairs_of(policy_with(WINS, 2, seen=10))
    assert known.comparisons.tolist() == [[0, 13, 31, 0], [13, 0, 23, 0], [31, 23, 0, 0], [0] * 4]
    assert known.difference[0, 1] == 5 / 13
    assert known.difference[2, 0] == -29 / 31
    assert np.isnan(known.difference[3]).all()
    assert np.isnan(known.difference.diagonal()).all()


@pytest.mark.parametrize("seen", [3, 10, 100, 10_000])
def test_a_pair_is_sure_when_its_interval_leaves_out_0(seen: int) -> None:
    policy = policy_with(WINS, 2, seen=seen)
    known = pairs_of(policy)
    here = budget(seen, 3.0)
    assert known.budget == budget_of(policy) == here
    for i, j in np.argwhere(~np.eye(4, dtype=bool)).tolist():
        n = WINS[i][j] + WINS[j][i]
        share = WINS[i][j] / n if n else 0.5
        high = 2 * kl_ucb(share, float(n), here) - 1
        low = 1 - 2 * kl_ucb(1 - share, float(n), here)
        assert known.sure[i, j] == (low > 0 or high < 0)
    assert known.sure[0, 2]
    assert not known.sure[0, 3]


def test_nothing_is_sure_while_the_leader_is_new() -> None:
    for seen in (0, 2):
        assert not pairs_of(policy_with(WINS, 2, seen=seen)).sure.any()


def test_the_budget_is_the_policys_own() -> None:
    assert budget_of(policy_with(WINS, 2, seen=50, budget="ln")) == np.log(50)


def test_evidence() -> None:
    assert evidence_of(0, 10) == evidence_of(10, 10) == pytest.approx(10 * np.log(2))
    assert evidence_of(5, 10) == evidence_of(0, 0) == 0


def test_another_order_moves_rows_and_columns() -> None:
    known = pairs_of(policy_with(WINS, 2, seen=10))
    moved = known.in_order([2, 0, 1, 3])
    assert moved.comparisons[0, 1] == known.comparisons[2, 0]
    assert moved.difference[1, 2] == known.difference[0, 1]
    assert moved.sure[0, 1] == known.sure[2, 0]
    assert moved.budget == known.budget


def test_looking_changes_nothing() -> None:
    policy, other = (policy_with(WINS, 2, seen=10, seed=4) for _ in range(2))
    pairs_of(policy)
    for _ in range(30):
        assert policy.rank() == other.rank()


def test_other_policies_are_refused() -> None:
    with pytest.raises(
        ArgumentError, match=r"^policy must be UniRank, which compares pairs, got G"
    ):
        pairs_of(GRAB(3, 2))
