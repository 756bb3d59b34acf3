"""What is said of pairs follows from the wins, and what is sure from the interval."""

from typing import Any

import numpy as np
import pytest

from tests.policies.situations import policy_with
from unirank.policies.base.explanation import PairTable
from unirank.policies.kernels.indices import budget, kl_ucb
from unirank.policies.uni_rank.pairs import MOST_ITEMS, evidence_of

WINS = [[0, 9, 30, 0], [4, 0, 17, 0], [1, 6, 0, 0], [0, 0, 0, 0]]


def table_of(policy: Any) -> PairTable:
    table = policy.explain().table
    assert isinstance(table, PairTable)
    return table


def test_differences_and_comparisons_are_those_of_the_wins() -> None:
    known = table_of(policy_with(WINS, 2, seen=10))
    assert known.items == (0, 1, 2, 3)
    assert known.comparisons.tolist() == [[0, 13, 31, 0], [13, 0, 23, 0], [31, 23, 0, 0], [0] * 4]
    assert known.difference[0, 1] == 5 / 13
    assert known.difference[2, 0] == -29 / 31
    assert np.isnan(known.difference[3]).all()
    assert np.isnan(known.difference.diagonal()).all()


@pytest.mark.parametrize(("option", "weight"), [("kl-ucb", 3.0), ("ln", 0.0)])
@pytest.mark.parametrize("seen", [3, 10, 100, 10_000])
def test_a_pair_is_sure_when_its_interval_leaves_out_0(
    seen: int, option: str, weight: float
) -> None:
    known = table_of(policy_with(WINS, 2, seen=seen, budget=option))
    here = budget(seen, weight)
    for i, j in np.argwhere(~np.eye(4, dtype=bool)).tolist():
        n = WINS[i][j] + WINS[j][i]
        share = WINS[i][j] / n if n else 0.5
        high = 2 * kl_ucb(share, float(n), here) - 1
        low = 1 - 2 * kl_ucb(1 - share, float(n), here)
        assert known.decided[i, j] == (low > 0 or high < 0)
    assert known.decided[0, 2]
    assert not known.decided[0, 3]


def test_nothing_is_sure_while_the_leader_is_new() -> None:
    for seen in (0, 2):
        assert not table_of(policy_with(WINS, 2, seen=seen)).decided.any()


def test_evidence() -> None:
    assert evidence_of(0, 10) == evidence_of(10, 10) == pytest.approx(10 * np.log(2))
    assert evidence_of(5, 10) == evidence_of(0, 0) == 0


def test_rows_and_columns_are_in_the_order_of_the_explanation() -> None:
    wins = np.array([[0, 1, 0], [9, 0, 0], [5, 9, 0]])  # item 2 leads, then 1, then 0
    known = table_of(policy_with(wins, 2, seen=10, items=["a", "b", "c"]))
    assert known.items == ("c", "b", "a")
    assert known.wins.tolist() == wins[::-1, ::-1].tolist()


def test_of_many_items_the_table_has_the_first() -> None:
    n = MOST_ITEMS + 5
    known = table_of(policy_with(np.triu(np.full((n, n), 5), 1), n, seen=20))
    assert known.items == tuple(range(MOST_ITEMS))
    assert known.decided.shape == (MOST_ITEMS, MOST_ITEMS)


def test_items_that_were_removed_are_left_out() -> None:
    policy = policy_with(WINS, 2, seen=10, items=["a", "b", "c", "d"])
    policy.remove("b")
    known = table_of(policy)
    assert set(known.items) == {"a", "c", "d"}
    places = [known.items.index(item) for item in ("a", "c")]
    assert known.wins[np.ix_(places, places)].tolist() == [[0, 30], [1, 0]]


def test_looking_changes_nothing() -> None:
    policy, other = (policy_with(WINS, 2, seen=10, seed=4) for _ in range(2))
    policy.explain()
    for _ in range(30):
        assert policy.rank() == other.rank()
