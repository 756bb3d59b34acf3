"""The explanation: numbers and words right on small cases, and true of what is then played."""

from math import exp, log
from random import Random

import numpy as np
import pytest

from tests.policies.situations import (
    ordered,
    plain_with,
    play,
    played_subsets,
    policy_with,
    some_clicks,
)
from unirank import UniRank
from unirank.policies.base.leader import Leader
from unirank.policies.uni_rank.explanation import Neighbour, UniRankExplanation, neighbours_of

BUDGET = log(3) + 3 * log(log(3))  # of a leader seen three times
ONE_LOSS = 2 * (1 - exp(-BUDGET)) - 1  # index of one straight loss, 0.497

# a > b > {c, d} on a page of two; c has won 1 of 4 against b.
WINS = [[0, 1, 5, 5], [0, 0, 3, 9], [0, 1, 0, 0], [0, 0, 0, 0]]


def explained(seen: int) -> UniRankExplanation:
    return policy_with(WINS, 2, seen=seen, items=["a", "b", "c", "d"]).explain()


def test_the_leader_and_its_rounds_are_told() -> None:
    found = explained(seen=3)
    assert (found.leader, found.n_rounds) == ((("a",), ("b",), ("c", "d")), 3)


def test_neighbours_are_merges_then_additions() -> None:
    assert [(n.ahead, n.behind) for n in explained(seen=3).neighbours] == [
        (("a",), ("b",)),
        (("b",), ("c",)),
        (("b",), ("d",)),
    ]


def test_a_neighbour_names_its_most_promising_pair() -> None:
    pairs = [(n.item, n.rival, n.wins, n.comparisons) for n in explained(seen=3).neighbours]
    assert pairs == [("b", "a", 0, 1), ("c", "b", 1, 4), ("d", "b", 0, 9)]


def test_the_index_of_straight_losses_has_a_closed_form() -> None:
    index = {n.behind: n.index for n in explained(seen=3).neighbours}
    assert index[("b",)] == pytest.approx(ONE_LOSS, abs=1e-12)
    assert index[("d",)] == pytest.approx(2 * (1 - exp(-BUDGET / 9)) - 1, abs=1e-12)


def test_the_most_promising_pair_is_the_best_of_all_pairs() -> None:
    wins = np.array([[0, 0, 7, 7], [0, 0, 7, 2], [0, 1, 0, 0], [0, 0, 0, 0]])
    merge = policy_with(wins, 4, seen=3, items=["a", "b", "c", "d"]).explain().neighbours[0]
    assert (merge.ahead, merge.behind) == (("a", "b"), ("c", "d"))
    assert (merge.item, merge.rival, merge.wins, merge.comparisons) == ("d", "b", 0, 2)


def test_the_words_are_these() -> None:
    assert str(explained(seen=3)).splitlines() == [
        "leader, for 3 rounds: a > b > {c, d}",
        "  b against a: b won 0 of 1 differing click against a, index +0.497",
        "  c against b: c won 1 of 4 differing clicks against b, index +0.314",
        "  d against b: d won 0 of 9 differing clicks against b, index -0.716",
        "next: try b with a (the largest index)",
    ]


def test_one_round_is_not_several() -> None:
    assert str(explained(seen=1)).startswith("leader, for 1 round: ")


def test_a_neighbour_of_several_items_is_written_in_braces() -> None:
    found = Neighbour(
        ("a", "b"), ("c", "d"), -0.5, tried=False, item="c", rival="a", wins=1, comparisons=4
    )
    told = "{c, d} against {a, b}: c won 1 of 4 differing clicks against a, index -0.500"
    assert str(found) == told


def test_with_no_neighbour_above_zero_the_leader_is_next() -> None:
    found = explained(seen=2)
    assert found.trying == ()
    assert str(found).endswith("\nnext: the leader; no neighbour has an index above 0")


def test_before_any_click_there_is_no_neighbour() -> None:
    assert str(UniRank(["a", "b", "c"], 2).explain()).splitlines() == [
        "leader, for 0 rounds: {a, b, c}",
        "next: the leader; no item is known to be ahead of another yet",
    ]


def test_tied_neighbours_are_all_named() -> None:
    wins = np.triu(np.ones((3, 3), np.int64), 1)
    told = str(policy_with(wins, 1, seen=3, items=["a", "b", "c"]).explain())
    assert told.endswith("\nnext: try b with a or c with a (tied for the largest index)")


def test_the_leader_alone_has_no_neighbours() -> None:
    wins = np.zeros((2, 2), np.int64)
    assert neighbours_of([[0, 1]], 1, wins, ["a", "b"], 1.0, explore_early=False, tried=()) == ()


def test_explaining_twice_says_the_same() -> None:
    policy = policy_with(WINS, 2, seen=3)
    assert policy.explain() == policy.explain()


def test_explaining_before_a_round_changes_no_ranking() -> None:
    one, two = UniRank(6, 3, seed=1), UniRank(6, 3, seed=1)
    for n in range(300):
        two.explain()
        assert play(one, 1, Random(n)) == play(two, 1, Random(n))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("early", ["leader", "explore"])
def test_explaining_between_a_round_and_its_clicks_changes_no_ranking(
    seed: int, early: str
) -> None:
    one, two = (UniRank(6, 3, seed=seed, early=early) for _ in range(2))
    for n in range(300):
        shown = two.rank()
        two.explain()
        two.update(shown, some_clicks(shown.items, Random(n)))
        assert play(one, 1, Random(n)) == [shown.items]


def test_clicks_that_come_after_an_explanation_count() -> None:
    policy = policy_with([[0, 6], [1, 0]], 2, seen=2, early="explore")
    shown = policy.rank()
    assert policy.explain().trying == ()  # 1 of 7 is too few, 2 of 8 are not
    policy.update(shown, [1])
    assert len(policy.explain().trying) == 1


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("early", ["leader", "explore"])
def test_what_is_played_is_what_is_being_tried(seed: int, early: str) -> None:
    policy = UniRank(6, 3, seed=seed, early=early)
    for n in range(300):
        found = policy.explain()
        tried = [{*neighbour.ahead, *neighbour.behind} for neighbour in found.trying]
        policy.update(policy.rank(), [])
        played = played_subsets(policy)
        if tried:
            assert len([subset for subset in played if subset in tried]) == 1
        else:
            assert played == [set(subset) for subset in found.leader[: len(played)]]
        play(policy, 1, Random(n))


@pytest.mark.parametrize("seed", range(4))
def test_the_indices_are_those_of_the_plain_edition(seed: int) -> None:
    policy = UniRank(6, 3, seed=seed)
    for n in range(60):
        play(policy, 1, Random(n))
        found = policy.explain()
        literal = plain_with(policy.state.wins, 3, seen=found.n_rounds)
        expected = [index for index, _ in literal.neighbours(literal.leader_indices())]
        assert [n.index for n in found.neighbours] == pytest.approx(expected, abs=1e-11)


def test_exploring_early_is_explained_by_an_index_of_one() -> None:
    found = policy_with(ordered(3), 2, early="explore").explain()
    assert [neighbour.index for neighbour in found.trying] == [1.0] * 2


def test_pairs_are_those_of_the_neighbours_seen_from_the_item_ahead() -> None:
    found = explained(seen=3)
    pairs = [(p.ahead, p.behind, p.wins, p.comparisons, p.on_page) for p in found.pairs or ()]
    assert pairs == [("a", "b", 1, 1, True), ("b", "c", 3, 4, False), ("b", "d", 9, 9, False)]
    for pair, step in zip(found.pairs or (), found.neighbours, strict=True):
        assert pair.low == -step.index
        assert pair.decided == (step.index <= 0.0) == (pair.strength >= 1.0)
    assert [pair.decided for pair in found.pairs or ()] == [False, False, True]


def test_below_the_page_the_closest_comes_first() -> None:
    wins = [[0, 20, 9, 20], [0, 0, 0, 0], [8, 0, 0, 0], [3, 0, 0, 0]]
    found = policy_with(wins, 1, items=list("abcd"), seen=20).explain()
    assert found.order == Leader((("a",),), ("c", "d", "b"))
    assert [pair.behind for pair in found.against_below] == ["c", "d", "b"]


def test_a_new_leader_is_not_sure_of_anything_and_says_so() -> None:
    for pair in explained(seen=2).pairs or ():
        assert (pair.decided, pair.strength, pair.low) == (False, 0.0, None)
        assert "new" in pair.note


def test_each_neighbour_that_may_be_played_is_tried_with_the_same_chance() -> None:
    wins = np.triu(np.ones((3, 3), np.int64), 1)
    found = policy_with(wins, 1, seen=3, items=["a", "b", "c"]).explain()
    assert [(one.title, one.chance) for one in found.tries or ()] == [
        ("b level with a", 0.5),
        ("c level with a", 0.5),
    ]
    assert "c may still beat a: it won 0 of 1 click" in (found.tries or ())[1].why


def test_where_nothing_is_known_ties_are_shown_at_random() -> None:
    (now,) = UniRank(["a", "b", "c"], 2).explain().tries or ()
    assert (now.title, now.chance) == ("The order now", 1.0)
    assert "random order" in now.why
    (now,) = explained(seen=2).tries or ()
    assert "known to be worse" in now.why
