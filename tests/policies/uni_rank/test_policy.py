"""UniRank on the cases of its specification, and what must hold whatever is clicked."""

from collections import Counter
from itertools import combinations, permutations
from math import exp, log
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.policies.situations import (
    N_DRAWS,
    SIGNIFICANCE,
    Items,
    chances,
    draws,
    future,
    leaders_met,
    ordered,
    p_value,
    plain_with,
    play,
    played_subsets,
    policy_with,
    with_many_leaders,
)
from unirank import ArgumentError, Ranking, UniRank
from unirank.policies.kernels import counting
from unirank.policies.uni_rank.policy import hold
from unirank.policies.uni_rank.state import LEADER

# The figure of the paper, corrected: four positions, groups {1,2} {3} {4,5} {6,7}.


def figure(seed: int = 0) -> UniRank:
    """Item 4 has lost one comparison against 3; all other pairs of two groups are settled."""
    groups = {1: 0, 2: 0, 3: 1, 4: 2, 5: 2, 6: 3, 7: 3}
    wins = np.zeros((7, 7), np.int64)
    for i, j in combinations(groups, 2):
        wins[i - 1, j - 1] = 30 if groups[i] < groups[j] else 0
    wins[2, 3] = 1
    wins[0, 1] = wins[1, 0] = 2
    wins[6, 5] = 5
    return policy_with(wins, 4, seen=3, items=range(1, 8), seed=seed)


def figure_showing(*items: int) -> tuple[UniRank, Ranking]:
    """The first seed for which the figure's policy shows these items."""
    for seed in range(1000):
        policy = figure(seed)
        shown = policy.rank()
        if shown.items == items:
            return policy, shown
    raise AssertionError(f"{items} is never shown")


def test_the_figures_leader_lumps_the_rest() -> None:
    assert figure().leader == ((1, 2), (3,), (4, 5), (6, 7))


def test_the_figures_leader_has_four_neighbours() -> None:
    assert [(n.ahead, n.behind) for n in figure().explain().neighbours] == [
        ((1, 2), (3,)),
        ((3,), (4, 5)),
        ((4, 5), (6,)),
        ((4, 5), (7,)),
    ]


def test_the_figures_second_neighbour_is_tried() -> None:
    (tried,) = figure().explain().trying
    assert (tried.ahead, tried.behind, tried.item, tried.rival) == ((3,), (4, 5), 4, 3)


def test_the_figure_plays_the_merge() -> None:
    policy = figure()
    policy.rank()
    assert played_subsets(policy) == [{1, 2}, {3, 4, 5}]


def test_the_figures_twelve_lists_are_equally_likely() -> None:
    lists = [a + b for a in permutations((1, 2)) for b in permutations((3, 4, 5), 2)]
    assert len(lists) == 12
    seen, _ = draws(figure(), N_DRAWS)
    assert p_value(seen, dict.fromkeys(lists, 1 / 12)) > SIGNIFICANCE


def test_the_figures_lists_have_propensity_one_in_twelve() -> None:
    found = chances(figure())
    assert Counter(round(1 / chance) for chance in found.values() if chance) == {12: 12}


@pytest.mark.parametrize(
    ("clicks", "won"),
    [
        ([3], {(3, 4), (3, 5)}),  # 4 is not displayed and counts as not clicked
        ([5], {(5, 3), (5, 4)}),
        ([3, 5], {(3, 4), (5, 4)}),
        ([2], {(2, 1)}),
        ([2, 1], set()),
        ([2, 3], {(2, 1), (3, 4), (3, 5)}),
        ([2, 1, 3, 5], {(3, 4), (5, 4)}),
        ([], set()),
    ],
)
def test_the_figure_learns_about_pairs_played_together(
    clicks: list[int], won: set[tuple[int, int]]
) -> None:
    policy, shown = figure_showing(2, 1, 3, 5)
    before = policy.state.wins.copy()
    policy.update(shown, clicks)
    learnt = np.argwhere(policy.state.wins - before == 1) + 1
    assert {(i, j) for i, j in learnt.tolist()} == won
    assert (policy.state.wins - before).sum() == len(won)


# Small cases.


def test_with_no_data_all_items_share_one_subset() -> None:
    assert UniRank(3, 2).leader == ((0, 1, 2),)


def test_with_no_data_all_lists_are_equally_likely() -> None:
    seen, _ = draws(UniRank(3, 2), 6000)
    lists: list[Items] = list(permutations(range(3), 2))
    assert p_value(seen, dict.fromkeys(lists, 1 / 6)) > SIGNIFICANCE


def test_the_first_click_puts_an_item_ahead_of_all_displayed_or_not() -> None:
    policy = UniRank(5, 2, seed=1)
    shown = policy.rank()
    policy.update(shown, shown.items[1:])
    others = tuple(item for item in range(5) if item != shown.items[1])
    assert policy.leader == (shown.items[1:], others)


def test_a_cycle_is_one_subset() -> None:
    assert policy_with([[0, 1, 0], [0, 0, 1], [1, 0, 0]], 2).leader == ((0, 1, 2),)


def test_an_item_behind_a_cycle_is_the_rest_and_the_only_neighbour() -> None:
    policy = policy_with([[0, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 0, 0, 0]], 3)
    assert policy.leader == ((0, 1, 2), (3,))
    assert [(n.ahead, n.behind) for n in policy.explain().neighbours] == [((0, 1, 2), (3,))]


def test_one_decided_pair_of_three_does_not_split_them() -> None:
    assert policy_with([[0, 1, 0], [0, 0, 0], [0, 0, 0]], 2).leader == ((0, 1, 2),)


def test_two_items_on_two_positions_have_one_neighbour() -> None:
    policy = policy_with(ordered(2), 2)
    assert policy.leader == ((0,), (1,))
    assert [(n.ahead, n.behind) for n in policy.explain().neighbours] == [((0,), (1,))]


def test_a_leader_seen_fewer_than_three_times_is_played() -> None:
    policy = policy_with(ordered(2), 2)
    assert [policy.rank() for _ in range(3)] == [Ranking((0, 1), n, 1.0) for n in (1, 2, 3)]


def test_a_leader_seen_three_times_is_explored() -> None:
    policy = policy_with(ordered(2), 2, seen=3)
    (neighbour,) = policy.explain().trying
    assert neighbour.index == pytest.approx(2 * (1 - exp(-log(3) - 3 * log(log(3)))) - 1)
    assert neighbour.index == pytest.approx(0.497, abs=5e-4)
    assert policy.rank().propensity == 0.5


@pytest.mark.parametrize("seen", [0, 1, 2])
def test_exploring_early_ties_all_neighbours(seen: int) -> None:
    wins = ordered(5) + ordered(5, 100) * (np.arange(5) > 3)  # item 4 is far behind
    policy = policy_with(wins, 3, seen=seen, early="explore")
    found = policy.explain()
    assert len(found.trying) == len(found.neighbours) == 4


def test_exploring_early_ends_with_the_first_budget() -> None:
    policy = policy_with(ordered(5, 100), 3, seen=3, early="explore")
    assert policy.explain().trying == ()


@pytest.mark.parametrize("n", range(1, 41))
def test_an_index_of_exactly_zero_plays_the_leader(n: int) -> None:
    policy = policy_with(ordered(2, n), 2, seen=2**n, budget="ln")  # n ln 2 = ln 2^n
    assert policy.rank().propensity == 1.0


@pytest.mark.parametrize("n", range(1, 31))
def test_an_index_just_above_zero_explores(n: int) -> None:
    policy = policy_with(ordered(2, n), 2, seen=2**n + 1, budget="ln")
    assert policy.rank().propensity == 0.5


@pytest.mark.parametrize(("seen", "n"), [(10, 7), (10**2, 14), (10**3, 19), (10**5, 28)])
def test_exploration_stops_after_so_many_straight_losses(seen: int, n: int) -> None:
    tried = [len(policy_with(ordered(2, k), 2, seen=seen).explain().trying) for k in (n - 1, n)]
    assert tried == [1, 0]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"early": "lead"}, "unknown early 'lead'; did you mean 'leader'?"),
        ({"early": None}, "unknown early None; one of: explore, leader"),
        ({"budget": "kl_ucb"}, "unknown budget 'kl_ucb'; did you mean 'kl-ucb'?"),
        ({"budget": 3.0}, "unknown budget 3.0; one of: kl-ucb, ln"),
    ],
)
def test_an_unknown_choice_is_answered_with_the_nearest(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        UniRank(3, 2, **options)
    assert str(caught.value) == sentence


# Whatever is clicked.


@st.composite
def played(draw: st.DrawFn) -> UniRank:
    """A policy after any number of rounds with any clicks."""
    n_items = draw(st.integers(1, 7))
    n_positions = draw(st.integers(1, n_items))
    early, budget = (
        draw(st.sampled_from(["leader", "explore"])),
        draw(st.sampled_from(["kl-ucb", "ln"])),
    )
    policy = UniRank(
        n_items, n_positions, seed=draw(st.integers(0, 99)), early=early, budget=budget
    )
    random, rate = Random(draw(st.integers(0, 99))), draw(st.floats(0.05, 0.95))
    for _ in range(draw(st.integers(0, 80))):
        shown = policy.rank()
        policy.update(shown, [item for item in shown.items if random.random() < rate])
    return policy


@given(played())
def test_only_pairs_that_differed_are_counted(policy: UniRank) -> None:
    wins = policy.state.wins
    difference, comparisons = wins - wins.T, wins + wins.T
    assert wins.min() >= 0
    assert not wins.diagonal().any()
    assert (abs(difference) <= comparisons).all()
    assert ((comparisons - difference) % 2 == 0).all()


@given(played())
def test_the_earlier_of_two_items_in_different_subsets_is_ahead(policy: UniRank) -> None:
    wins = policy.state.wins
    for one, other in combinations(policy.leader, 2):
        assert all(wins[i, j] > wins[j, i] for i in one for j in other)


@given(played())
def test_a_leader_has_at_most_one_neighbour_less_than_items(policy: UniRank) -> None:
    assert len(policy.explain().neighbours) <= policy.n_items - 1


@given(played())
def test_the_partition_played_is_the_leader_or_one_of_its_neighbours(policy: UniRank) -> None:
    found = policy.explain()
    policy.rank()
    played = played_subsets(policy)
    merged = [{*neighbour.ahead, *neighbour.behind} for neighbour in found.neighbours]
    leader = [set(subset) for subset in found.leader]
    assert len([subset for subset in played if subset not in leader]) <= 1
    assert all(subset in leader or subset in merged for subset in played)


@given(played())
def test_the_page_is_cut_from_the_subsets_played(policy: UniRank) -> None:
    shown = policy.rank().items
    for subset in played_subsets(policy):
        assert set(shown[: len(subset)]) <= subset
        shown = shown[len(subset) :]


@given(played())
def test_what_is_remembered_of_a_round_is_accepted_from_a_file(policy: UniRank) -> None:
    shown = policy.rank()
    ranking = np.array([policy.items.index(item) for item in shown.items])
    assert policy.check_memory(ranking, shown.memory)


# Held rounds.


def held(policy: UniRank, limit: int) -> tuple[int, list[int]]:
    ranking = np.full(policy.n_positions, -1)
    n_rounds = hold(policy.state, limit, ranking)
    policy._on_page().round += n_rounds
    return n_rounds, ranking.tolist()


def leader_rounds(policy: Any) -> int:
    """Play, clicking at the top, until a neighbour is tried; count the rounds before."""
    for n_rounds in range(10**5):
        leader = policy.leader_indices()
        shown = policy.rank()
        if policy.played != leader:
            return n_rounds
        policy.update(shown, shown.items[:1])
    raise AssertionError("no neighbour was ever tried")


STRICT = [(4, 3, 3, 2), (4, 3, 5, 9), (5, 2, 4, 0), (3, 3, 6, 100), (6, 1, 2, 3)]


@pytest.mark.parametrize(("n_items", "n_positions", "wins", "seen"), STRICT)
def test_rounds_are_held_as_long_as_the_leader_would_be_shown(
    n_items: int, n_positions: int, wins: int, seen: int
) -> None:
    situation: dict[str, Any] = {"wins": ordered(n_items, wins), "n_positions": n_positions}
    n_rounds, ranking = held(policy_with(**situation, seen=seen), 10**9)
    assert n_rounds == leader_rounds(plain_with(**situation, seen=seen))
    assert n_rounds == 0 or ranking == list(range(n_positions))


@pytest.mark.parametrize(("n_items", "n_positions", "wins", "seen"), STRICT)
@pytest.mark.parametrize("limit", [1, 7, 10**9])
def test_a_policy_goes_on_from_held_rounds_as_if_they_were_played(
    n_items: int, n_positions: int, wins: int, seen: int, limit: int
) -> None:
    one, two = (policy_with(ordered(n_items, wins), n_positions, seen=seen) for _ in range(2))
    n_rounds, _ = held(one, limit)
    assert n_rounds <= limit
    play(two, n_rounds, Random(1))
    assert play(one, 300, Random(2)) == play(two, 300, Random(2))
    assert leaders_met(one) == leaders_met(two)
    np.testing.assert_array_equal(one.state.wins, two.state.wins)


def test_a_leader_that_nobody_can_catch_is_held_to_the_limit() -> None:
    assert held(policy_with(ordered(4, 10**6), 3), 10**12) == (10**12, [0, 1, 2])


def test_a_leader_with_a_shared_subset_is_not_held() -> None:
    wins = ordered(4, 50)
    wins[1, 2] = 0
    policy = policy_with(wins, 3, seen=5)
    assert policy.leader == ((0,), (1, 2), (3,))
    assert held(policy, 100) == (0, [-1, -1, -1])


def test_a_leader_with_a_neighbour_to_try_is_not_held() -> None:
    policy = policy_with(ordered(4), 3, seen=3)
    before = leaders_met(policy)
    assert held(policy, 100) == (0, [-1, -1, -1])
    assert leaders_met(policy) == before


# Room for leaders.


def test_a_table_that_grows_changes_no_ranking(monkeypatch: pytest.MonkeyPatch) -> None:
    roomy = UniRank(8, 8, seed=1)
    monkeypatch.setattr(counting, "SMALLEST", 2)
    tight = UniRank(8, 8, seed=1)
    assert len(tight.state.leader_keys) == 2
    assert play(tight, 2000, Random(1)) == play(roomy, 2000, Random(1))
    assert len(tight.state.leader_keys) > 64
    assert leaders_met(tight) == leaders_met(roomy)


def test_more_leaders_than_the_first_table_holds_are_all_counted() -> None:
    policy = with_many_leaders()
    assert len(leaders_met(policy)) > 512
    assert sum(leaders_met(policy).values()) == policy.round


def test_a_table_is_never_more_than_half_full() -> None:
    policy = with_many_leaders()
    assert policy.state.now["n_leaders"][0] <= len(policy.state.leader_keys) // 2


def test_looking_at_the_leader_after_every_late_answer_makes_room_too() -> None:
    policy = UniRank(20, 20, seed=1)
    draw = Random(1)
    for shown in future(policy, 900):
        policy.update(shown, [draw.choice(shown.items)])
        assert policy.leader
    assert 512 < policy.state.now["n_leaders"][0] <= len(policy.state.leader_keys) // 2


def test_the_leader_is_played_when_no_neighbour_is() -> None:
    policy = policy_with(ordered(4, 50), 3, seen=5)
    policy.rank()
    assert policy.state.now["played"][0] == LEADER
