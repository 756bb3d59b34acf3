"""Who is ahead of whom: the same numbers as the policies' own explanations."""

from typing import Any

import pytest

from tests.server.dashboard.games import ITEMS, MatchRank, UniRank, played
from unirank.policies.base.leader import leader_of
from unirank.policies.uni_rank.pairs import pairs_of
from unirank.server.dashboard.comparisons import Comparison, comparisons_of, weighted


def found_of(policy: Any, present: Any = ITEMS) -> list[Comparison]:
    found = comparisons_of(policy, policy.explain(), leader_of(policy), present)
    assert found is not None
    return found


@pytest.mark.parametrize("n", [150, 2000])
def test_uni_rank_is_sure_where_its_table_of_pairs_is(n: int) -> None:
    policy: Any = played(UniRank, n)
    table = pairs_of(policy)
    found = found_of(policy)
    assert [(one.ahead, one.behind) for one in found[:1]] == [("mug", "pot")]
    for one in found:
        pair = ITEMS.index(str(one.ahead)), ITEMS.index(str(one.behind))
        assert one.of == table.comparisons[pair]
        assert 2 * one.won / one.of - 1 == pytest.approx(table.difference[pair])
        assert one.sure == bool(table.sure[pair])
        assert one.sure == (one.strength >= 1.0)
        assert one.below == (one.behind in leader_of(policy).below)
    assert all(one.sure for one in found) == (n == 2000)


def test_match_ranks_evidence_is_measured_in_what_it_needs() -> None:
    policy: Any = played(MatchRank, 2000)
    tests = {(test.ahead, test.behind): test for test in policy.explain().tests}
    for one in found_of(policy):
        test = tests[one.ahead, one.behind]
        assert (one.won, one.of) == (test.wins, test.comparisons)
        assert one.sure == test.decided
        assert (one.strength > 0) == (test.z > 0)


def test_a_new_leader_is_not_sure_of_anything() -> None:
    policy: Any = played(UniRank, 3)
    assert not any(one.sure for one in found_of(policy))


def test_items_that_were_removed_are_left_out() -> None:
    policy: Any = played(UniRank, 2000)
    assert "jar" in {one.behind for one in found_of(policy)}
    assert "jar" not in {one.behind for one in found_of(policy, ITEMS[:4])}


@pytest.mark.parametrize(
    ("of", "strength", "sure", "verdict"),
    [
        (0, 0, False, "unseen"),
        (4, -0.5, False, "against"),
        (4, 0.5, False, "open"),
        (9, 2, True, "sure"),
    ],
)
def test_the_verdict(of: int, strength: float, sure: bool, verdict: str) -> None:
    assert Comparison("a", "b", 0, of, strength, sure, below=False).verdict == verdict


def test_a_policy_of_whole_lists_compares_no_pairs() -> None:
    policy = played(UniRank, 0)
    assert comparisons_of(policy, None, leader_of(policy), ITEMS) is None


def test_match_ranks_clicks_are_weighted_and_uni_ranks_are_not() -> None:
    assert weighted(found_of(played(MatchRank, 500)))
    assert not weighted(found_of(played(UniRank, 500)))
    assert not weighted(None)
