"""Who is ahead of whom: the pairs of the policies' own explanations."""

from typing import Any

import pytest

from tests.server.dashboard.games import ITEMS, MatchRank, UniRank, played
from unirank import Policy
from unirank.policies import GRAB
from unirank.policies.base.explanation import Pair
from unirank.server.dashboard.comparisons import (
    MOST_BELOW,
    MOST_ON_PAGE,
    comparisons_of,
    verdict_of,
)


@pytest.mark.parametrize("cls", [UniRank, MatchRank])
def test_the_pairs_are_those_of_the_explanation(cls: type[Policy]) -> None:
    found = played(cls, 2000).explain()
    drawn = comparisons_of(found)
    assert drawn is not None
    assert tuple(pair for pair, _ in drawn) == found.pairs
    assert [verdict == "sure" for _, verdict in drawn] == [pair.decided for pair, _ in drawn]


@pytest.mark.parametrize("n", [150, 2000])
def test_uni_rank_is_sure_where_its_table_of_pairs_is(n: int) -> None:
    found = played(UniRank, n).explain()
    assert found.table is not None
    assert found.order is not None
    pairs = comparisons_of(found) or []
    assert [(one.ahead, one.behind) for one, _ in pairs[:1]] == [("mug", "pot")]
    for one, verdict in pairs:
        cell = found.table.items.index(one.ahead), found.table.items.index(one.behind)
        assert one.comparisons == found.table.comparisons[cell]
        assert 2 * one.wins / one.comparisons - 1 == pytest.approx(found.table.difference[cell])
        assert (verdict == "sure") == bool(found.table.decided[cell]) == (one.strength >= 1.0)
        assert one.on_page == (one.behind not in found.order.below)
    assert all(verdict == "sure" for _, verdict in pairs) == (n == 2000)


def test_items_that_were_removed_are_left_out() -> None:
    policy: Any = played(UniRank, 2000)
    assert "jar" in {one.behind for one, _ in comparisons_of(policy.explain()) or ()}
    policy.remove(ITEMS[4])
    assert "jar" not in {one.behind for one, _ in comparisons_of(policy.explain()) or ()}


def test_of_many_pairs_the_first_are_drawn() -> None:
    drawn = comparisons_of(UniRank(60, 30, start=range(60)).explain()) or []
    assert [pair.on_page for pair, _ in drawn] == [True] * MOST_ON_PAGE + [False] * MOST_BELOW


@pytest.mark.parametrize(
    ("of", "strength", "decided", "verdict"),
    [
        (0, 0, False, "unseen"),
        (4, -0.5, False, "against"),
        (4, 0.5, False, "open"),
        (9, 2, True, "sure"),
    ],
)
def test_the_verdict(of: int, strength: float, decided: bool, verdict: str) -> None:
    assert verdict_of(Pair("a", "b", 0, of, strength, decided)) == verdict


def test_a_policy_of_whole_lists_compares_no_pairs() -> None:
    assert comparisons_of(GRAB(ITEMS, 2).explain()) is None
