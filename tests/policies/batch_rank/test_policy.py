"""BatchRank on the cases of its specification, with late clicks, held, and at work."""

from collections import Counter
from itertools import permutations
from math import log
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.policies.counted import clicks_on, play_until
from tests.policies.situations import SIGNIFICANCE, Items, p_value, some_clicks
from unirank import PBM, ArgumentError, Ranking, StateFileError, load, simulate
from unirank.policies import BatchRank
from unirank.policies.batch_rank.policy import hold


def play(policy: BatchRank, n_rounds: int, seed: int = 2) -> list[Ranking]:
    draw, played = Random(seed), []
    for _ in range(n_rounds):
        played.append(policy.rank())
        policy.update(played[-1], some_clicks(played[-1].items, draw))
    return played


def views(policy: BatchRank) -> list[int]:
    """Views of each item of a policy that has one batch."""
    seen = policy.state.order[: policy.state.seen[0]]
    return [int(policy.state.views[0]) + (item in seen) for item in range(policy.n_items)]


# The specification's rules.


def test_a_stage_ends_when_each_item_has_its_views() -> None:
    policy = BatchRank(3, 3, horizon=10**7)
    for _ in range(257):
        policy.update(policy.rank(), [0])
    assert policy.state.views[0] == 257
    policy.update(policy.rank(), [0])
    assert policy.batches == ((0,), (1, 2))


def test_a_stage_of_many_items_takes_as_many_passes() -> None:
    policy = BatchRank(7, 2, horizon=10)  # 37 passes of four rounds, the last with a filler
    for _ in range(4 * 37 - 1):
        shown = policy.rank()
        policy.update(shown, clicks_on({0}, shown))
    assert policy.state.views[0] == 36
    shown = policy.rank()
    policy.update(shown, clicks_on({0}, shown))
    assert policy.batches == ((0,), (1, 2, 3, 4, 5, 6))


def test_all_items_get_equally_many_views_and_fillers_none() -> None:
    policy = BatchRank(5, 3, horizon=10**6, seed=3)
    for round_ in range(1, 101):
        shown = policy.rank()
        before = views(policy)
        policy.update(shown, shown.items)
        after = views(policy)
        grown = {item for item in range(5) if after[item] > before[item]}
        fewest = {item for item in range(5) if before[item] == min(before)}
        assert grown == fewest & {int(item) for item in shown.items}
        assert len(grown) == (3, 2)[(round_ - 1) % 2]
        np.testing.assert_array_equal(policy.state.clicked, after)  # everything was clicked


@pytest.mark.parametrize("n_items", [3, 4, 5])
def test_every_list_is_as_likely_before_the_first_view(n_items: int) -> None:
    lists: Counter[Items] = Counter()
    for seed in range(3000):
        shown = BatchRank(n_items, 3, horizon=100, seed=seed).rank()
        lists[shown.items] += 1
    every = list(permutations(range(n_items), 3))
    assert shown.propensity == pytest.approx(1 / len(every))
    assert p_value(lists, {one: 1 / len(every) for one in every}) > SIGNIFICANCE


def test_fresh_items_are_shown_with_any_fillers_in_any_order() -> None:
    policy = BatchRank(5, 3, horizon=100)
    first = policy.rank()
    policy.update(first, [])
    fresh = {0, 1, 2, 3, 4} - set(first.items)
    rounds = [policy.rank() for _ in range(3000)]
    every = [one for one in permutations(range(5), 3) if fresh < set(one)]
    assert len(every) == 18
    assert [shown.propensity for shown in rounds] == pytest.approx([1 / 18] * 3000)
    lists = Counter(shown.items for shown in rounds)
    assert p_value(lists, dict.fromkeys(every, 1 / 18)) > SIGNIFICANCE


def test_the_largest_cut_is_taken_and_both_parts_start_anew() -> None:
    policy = BatchRank(4, 4, horizon=100)
    # 0 is clicked always, 1 in 2 of 3 rounds, others never.
    often = [{0}, {0, 1}, {0, 1}]
    play_until(
        policy,
        lambda: len(policy.batches) > 1,
        lambda shown: clicks_on(often[shown.round % 3], shown),
    )
    assert policy.batches == ((0, 1), (2, 3))
    assert policy.state.stage.tolist() == [0, 0, 0, 0]
    assert policy.state.clicked.sum() == 0


def test_items_that_no_position_is_left_for_are_dropped_for_good() -> None:
    policy = BatchRank(4, 1, horizon=100)
    play_until(policy, lambda: policy.state.stage[0] > 0, lambda shown: clicks_on({1, 3}, shown))
    assert policy.batches == ((1, 3),)
    assert policy.state.stage[0] == 1
    assert {item for shown in play(policy, 300) for item in shown.items} <= {1, 3}


def test_a_full_batch_that_cannot_be_split_goes_on_to_the_next_stage() -> None:
    policy = BatchRank(2, 2, horizon=100)
    for _ in range(74 + 295):
        policy.update(policy.rank(), [])
    assert policy.batches == ((0, 1),)
    assert policy.state.stage[0] == 2


def test_bounds_use_the_horizons_budget() -> None:
    assert BatchRank(2, 1, horizon=1000).state.budget == log(1000) + 3 * log(log(1000))
    assert BatchRank(2, 1, horizon=1).state.budget == 0


# Late clicks.


def test_clicks_of_a_stage_that_has_ended_are_not_counted() -> None:
    policy = BatchRank(3, 2, horizon=2)
    early = [policy.rank() for _ in range(5)]
    play_until(policy, lambda: len(policy.batches) > 1, lambda shown: clicks_on({0}, shown))
    before = contents_of_statistics(policy)
    for shown in early:
        policy.update(shown, shown.items)
    assert contents_of_statistics(policy) == before


def contents_of_statistics(policy: BatchRank) -> dict[str, list[int]]:
    return {name: array.tolist() for name, array in policy.statistics().items()}


def test_clicks_of_a_batch_are_counted_though_another_has_ended() -> None:
    policy = BatchRank(4, 4, horizon=2)
    play_until(policy, lambda: len(policy.batches) > 1, lambda shown: clicks_on({0, 1}, shown))
    policy.restore({**policy.statistics(), "views": np.array([11, 0, 3, 0])})
    late = policy.rank()
    shown = policy.rank()
    policy.update(shown, [0])
    assert policy.batches == ((0,), (1,), (2, 3))
    assert policy.state.views.tolist() == [0, 0, 4, 0]
    policy.update(late, late.items)
    assert policy.state.views.tolist() == [0, 0, 5, 0]
    assert policy.state.clicked.tolist() == [0, 0, 1, 1]


# Holding and learning.


def test_one_list_is_held_for_ever_and_counts_nothing() -> None:
    ranking = np.zeros(2, np.int64)
    policy = BatchRank(2, 2, horizon=10)
    assert hold(policy.state, 10**12, ranking) == 0
    play_until(policy, lambda: len(policy.batches) > 1, lambda _: [1])
    assert hold(policy.state, 10**12, ranking) == 10**12
    assert ranking.tolist() == [1, 0]
    before = contents_of_statistics(policy)
    play(policy, 100)
    assert contents_of_statistics(policy) == before


def test_one_position_is_held_only_when_one_item_is_left() -> None:
    assert hold(BatchRank(2, 1, horizon=10).state, 5, np.zeros(1, np.int64)) == 0
    assert hold(BatchRank(1, 1, horizon=10).state, 5, np.zeros(1, np.int64)) == 5


def test_different_items_are_told_apart_and_regret_ends() -> None:
    # Random order loses 30 times as much; a tenth is far beyond chance for ten games.
    users = PBM([0.9, 0.6, 0.3, 0.1, 0.1, 0.1], [1.0, 0.8, 0.6])
    floor, learner = (
        simulate(
            policy,
            users,
            n_positions=3,
            n_rounds=10**5,
            n_games=10,
            checkpoints=[5 * 10**4, 10**5],
        )
        for policy in ("random", ("batchrank", {"horizon": 10**5}))
    )
    assert learner.mean[-1] < floor.mean[-1] / 10
    assert (learner.regret[:, -1] == learner.at(5 * 10**4)).all()


# Files.


def test_a_forged_memory_is_refused() -> None:
    policy = BatchRank(7, 5, horizon=3)
    policy.rank()
    saved = policy.to_saved()
    assert saved.unanswered is not None
    saved.unanswered.memories[0] = saved.unanswered.memories[0][:-8]
    with pytest.raises(ArgumentError, match="unanswered round 1 is not one this policy gave"):
        BatchRank.from_saved(saved)


def test_a_forged_file_is_refused(tmp_path: Path) -> None:
    policy = BatchRank(4, 2, horizon=9)
    play(policy, 9)
    policy.state.order[0] = policy.state.order[1]
    policy.save(tmp_path / "state")
    with pytest.raises(StateFileError, match="order must be an order of all items"):
        load(tmp_path / "state")
