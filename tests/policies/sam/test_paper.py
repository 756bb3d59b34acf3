"""SAM on rankings: its turns, its cuts, late answers, and at work."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from unirank import PBM, ArgumentError, policies, simulate

SAM: Any = policies.SAM  # whose rank() on a page differs from that of the algorithm


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
    assert policy.rounds.tolist() == [n_items] * n_items
    assert policy.clicked.tolist() == [1] * n_items


def test_nothing_counts_before_the_cycle_is_complete() -> None:
    policy = SAM(3, 2, horizon=100)
    for n_rounds in range(1, 7):
        shown = policy.rank()
        policy.update(shown, shown.items)
        assert policy.rounds.tolist() == [n_rounds // 3 * 3] * 3


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
    assert [block["answered"] for block in policy.blocks] == [{}, {}]
    policy.update(early[0, 1], [0, 1])  # item 1 at position 1 is
    assert [block["answered"] for block in policy.blocks] == [{}, {1: {1: True}}]


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
    assert late.clicked.tolist() == prompt.clicked.tolist()
    assert late.rounds.tolist() == prompt.rounds.tolist()


def cut_after(clicked: list[int], n_rounds: int, horizon: int) -> tuple[tuple[int, ...], ...]:
    """The clusters of items that have counted so many clicks in so many rounds."""
    policy = SAM(len(clicked), 1, horizon=horizon)
    policy.clicked[:] = clicked
    policy.rounds[:] = n_rounds
    policy._cut(policy.blocks[0])
    clusters: tuple[tuple[int, ...], ...] = policy.clusters
    return clusters


def test_a_cluster_is_cut_at_every_gap_of_more_than_two_widths() -> None:
    # Two widths, in clicks, are 2 sqrt(100 ln 8) = 28.8.
    assert cut_after([10, 39, 38, 68, 0], 100, 8) == ((3,), (1, 2, 0, 4))
    assert cut_after([9, 38, 39, 68, 0], 100, 8) == ((3,), (2, 1), (0, 4))


def test_nobody_moves_without_a_cut() -> None:
    assert cut_after([0, 28, 56, 20], 100, 8) == ((0, 1, 2, 3),)


def test_equal_members_keep_their_order() -> None:
    assert cut_after([5, 90, 5, 90], 100, 8) == ((1, 3), (0, 2))


GOOD: dict[str, Any] = {
    "clicked": np.array([3, 2, 6]),
    "rounds": np.array([6, 6, 8]),
    "blocks": [
        {"members": [2], "turn": 0, "answered": {0: {2: True}}},
        {"members": [0, 1], "turn": 1, "answered": {0: {0: 1, 1: 0}}},
    ],
}


def block(**forged: Any) -> list[dict[str, Any]]:
    """The blocks of a good file, the second one changed."""
    return [GOOD["blocks"][0], {**GOOD["blocks"][1], **forged}]


@pytest.mark.parametrize(
    ("forged", "sentence"),
    [
        ({}, None),
        ({"blocks": block(members=[0, 2])}, "blocks must hold each of 3 items once"),
        ({"blocks": block(members=[0, True])}, "blocks must hold each of 3 items once"),
        ({"blocks": block(turn=2)}, "turn must be in 0..1, got 2"),
        ({"blocks": block(turn=0.0)}, "turn must be in 0..1, got 0.0"),
        ({"blocks": block(answered={2: {}})}, "answered must be turns of the members of a block"),
        ({"blocks": block(answered={0: {}, 1: {}})}, "answered must be clicks of the open cycle"),
        ({"blocks": block(answered={0: {2: 1}})}, "answered must be clicks of the open cycle"),
        ({"blocks": block(answered={0: {0: 3}})}, "answered must be clicks of the open cycle"),
        ({"rounds": np.array([6, 7, 8])}, "rounds must be equal within a block"),
        ({"rounds": np.array([2**61] * 3)}, "clicked must be counts of at most one per round"),
        ({"clicked": np.array([7, 2, 6])}, "clicked must be counts of at most one per round"),
        ({"clicked": np.array([3, 2])}, "clicked and rounds must be 3 counts"),
        ({"clicked": np.array([3.0, 2, 6])}, "clicked and rounds must be 3 counts"),
    ],
)
def test_what_no_rounds_could_teach_is_refused(forged: Any, sentence: str | None) -> None:
    policy = SAM(3, 2, horizon=10)
    if sentence is None:
        policy.check_learnt(GOOD)
    else:
        with pytest.raises(ArgumentError) as caught:
            policy.check_learnt({**GOOD, **forged})
        assert str(caught.value).startswith(sentence)


def test_it_loses_far_less_than_random_order() -> None:
    users = PBM([0.8, 0.5, 0.2, 0.1], [1.0, 0.7])
    floor, learner = (
        simulate(policy, users, n_positions=2, n_rounds=20_000, n_games=5).mean[-1]
        for policy in ("random", ("sam", {"horizon": 20_000}))
    )
    assert learner < floor / 7
