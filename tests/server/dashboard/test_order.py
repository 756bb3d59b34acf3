"""The order now, of a policy that believes and of one that compares."""

from typing import Any

import pytest

from tests.server.dashboard.games import ITEMS, MatchRank, UniRank, played
from unirank import Policy
from unirank.policies.base.leader import Leader, leader_of
from unirank.server.dashboard.order import MOST_BELOW, MOST_PLACES, order_of


def test_match_rank_shows_what_it_believes_of_each_item() -> None:
    policy = played(MatchRank, 500)
    explanation = policy.explain()
    assert explanation.order is not None
    found = order_of(explanation.order, 2, explanation.attraction)
    assert [row.items for row in found.places] == [("mug",), ("pot",)]
    assert [row.label for row in found.places] == ["1", "2"]
    beliefs = [row.belief for row in (*found.places, *found.below)]
    assert all(belief is not None and belief.low <= belief.value for belief in beliefs)
    values = [row.belief.value for row in found.below if row.belief is not None]
    assert values == sorted(values, reverse=True)
    assert found.highest > 0.5


def test_tied_items_share_their_positions() -> None:
    policy = played(UniRank, 0)
    found = order_of(leader_of(policy), 2, ())
    assert [(row.label, row.items) for row in found.places] == [("1 to 2", ITEMS)]
    assert found.highest == 0.0


@pytest.mark.parametrize("cls", [MatchRank, UniRank])
def test_an_item_that_was_removed_is_not_drawn(cls: type[Policy]) -> None:
    policy: Any = played(cls, 300)
    policy.remove("jar")
    order = policy.explanation().order
    assert {item for row in order_of(order, 2, ()).below for item in row.items} == {"tea", "tray"}


def test_what_is_not_drawn_is_counted() -> None:
    leader = Leader(tuple((n,) for n in range(30)), tuple(range(30, 50)))
    found = order_of(leader, 30, ())
    assert (len(found.places), len(found.below)) == (MOST_PLACES, MOST_BELOW)
    assert found.n_left_out == 10 + 12


def test_items_that_were_never_shown_are_marked() -> None:
    leader = Leader((("mug", "pot"), ("tea",)), ("jar",))
    found = order_of(leader, 3, (), {"pot", "jar"})
    assert [row.unseen for row in (*found.places, *found.below)] == [("pot",), (), ("jar",)]
    assert found.has_unseen
