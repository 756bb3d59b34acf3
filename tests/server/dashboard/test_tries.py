"""What is tried next, in the policies' own chances."""

from typing import Any

import pytest

from tests.server.dashboard.games import MatchRank, UniRank, played
from unirank.server.dashboard.tries import tries_of


def test_match_ranks_chances_add_up() -> None:
    policy: Any = played(MatchRank, 300)
    found = tries_of(policy.explain())
    assert found is not None
    assert sum(one.share or 0.0 for one in found) == pytest.approx(1.0)
    assert found[0].title == "The order now"
    assert all(one.examples for one in found[1:])


def test_uni_rank_names_the_pair_that_it_tries() -> None:
    policy: Any = played(UniRank, 50)
    explained = policy.explain()
    found = tries_of(explained)
    assert found is not None
    assert len(found) == len(explained.trying) > 0
    pair = explained.trying[0]
    assert f"{pair.item} may still beat {pair.rival}" in found[0].why


def test_where_nothing_is_known_ties_are_shown_at_random() -> None:
    policy: Any = played(UniRank, 0)
    found = tries_of(policy.explain())
    assert found is not None
    assert ["random order" in one.why for one in found] == [True]


def test_a_policy_may_say_nothing() -> None:
    assert tries_of(None) is None
