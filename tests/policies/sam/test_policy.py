"""SAM on rankings: its turns, late answers, held rounds, and at work."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from unirank import PBM, simulate
from unirank.policies import SAM
from unirank.policies.sam.policy import hold


@pytest.mark.parametrize(("n_items", "n_positions"), [(4, 4), (5, 4), (6, 2), (3, 1)])
def test_in_one_cycle_each_item_visits_each_position_once(n_items: int, n_positions: int) -> None:
    policy = SAM(n_items, n_positions, horizon=10**6)
    visits = Counter[tuple[int, int | str]]()
    for _ in range(n_items):
        shown = policy.rank()
        visits.update(enumerate(shown.items))
        policy.update(shown, shown.items[:1])
    assert len(visits) == n_items * n_positions
    assert set(visits.values()) == {1}
    assert policy.state.rounds.tolist() == [n_items] * n_items
    assert policy.state.clicked.tolist() == [1] * n_items


def test_nothing_counts_before_the_cycle_is_complete() -> None:
    policy = SAM(3, 2, horizon=100)
    for n_rounds in range(1, 7):
        shown = policy.rank()
        policy.update(shown, shown.items)
        assert policy.state.rounds.tolist() == [n_rounds // 3 * 3] * 3


def test_a_cut_needs_intervals_that_do_not_touch() -> None:
    policy = SAM(3, 3, horizon=100)
    for n_cycles in range(1, 100):
        for _ in range(3):
            policy.update(policy.rank(), [2])
        width = np.sqrt(np.log(100) / (3 * n_cycles))
        assert policy.clusters == (((2,), (0, 1)) if 2 * width < 1 else ((0, 1, 2),))


def test_after_a_cut_an_answer_counts_only_for_blocks_that_show_a_turn_of_today() -> None:
    policy = SAM(3, 2, horizon=3)
    early = {shown.items: shown for shown in (policy.rank(), policy.rank())}
    while len(policy.clusters) == 1:
        shown = policy.rank()
        policy.update(shown, [2] if 2 in shown.items else [])
    assert policy.clusters == ((2,), (0, 1))
    policy.update(early[1, 2], [1, 2])  # item 2 is not one of those that share position 1
    assert not policy.state.answered.any()
    policy.update(early[0, 1], [0, 1])  # item 1 at position 1 is
    assert policy.state.answered.tolist() == [False, False, True]
    assert policy.state.pending.tolist() == [0, 1, 0]


def test_answers_in_order_lose_nothing_however_late() -> None:
    prompt, late = (SAM(4, 3, horizon=10**6) for _ in range(2))
    draw, waiting = Random(1), []
    for round_ in range(400):
        shown = [one.rank() for one in (prompt, late)]
        clicks = [item for item in shown[0].items if draw.random() < 0.5]
        prompt.update(shown[0], clicks)
        waiting.append((shown[1], clicks))
        if round_ >= 7:
            late.update(*waiting.pop(0))
    for one in waiting:
        late.update(*one)
    assert late.state.clicked.tolist() == prompt.state.clicked.tolist()
    assert late.state.rounds.tolist() == prompt.state.rounds.tolist()


def test_only_clusters_of_one_item_are_held() -> None:
    policy, ranking = SAM(3, 2, horizon=2), np.zeros(2, np.int64)
    assert hold(policy.state, 100, ranking) == 0
    while len(policy.clusters) < 3:
        shown = policy.rank()
        clicks = [1] if 1 in shown.items else []
        clicks += [2] if 2 in shown.items and policy.round % 2 else []
        policy.update(shown, clicks)
        if policy.clusters[0] == (1,) and len(policy.clusters) == 2:
            assert hold(policy.state, 100, ranking) == 0
    assert hold(policy.state, 100, ranking) == 100
    assert ranking.tolist() == [1, 2]


def test_it_loses_far_less_than_random_order() -> None:
    users = PBM([0.8, 0.5, 0.2, 0.1], [1.0, 0.7])
    floor, learner = (
        simulate(policy, users, n_positions=2, n_rounds=50_000, n_games=10).mean[-1]
        for policy in ("random", ("sam", {"horizon": 50_000}))
    )
    assert learner < floor / 10
