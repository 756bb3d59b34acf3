"""SAM on rankings beside its literal twin, turn by turn, late, skipped, and at work."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.policies.cascades import answer, clicks_of, problem
from tests.policies.situations import contents
from tests.reference.sam import SAMTwin
from tests.simulation.problems import PROBLEMS
from unirank import PBM, SAM, ArgumentError, Ranking, load, simulate
from unirank.policies.sam.policy import hold

HORIZONS = (1, 2, 5, 100)  # short ones cut often, and wrongly


def agree(policy: SAM, twin: SAMTwin, users: Any, *, n_rounds: int, delay: int = 0) -> None:
    """Both give the same rankings and know the same, with answers `delay` rounds late."""
    waiting: list[tuple[Ranking, list[bool]]] = []
    for round_ in range(1, n_rounds + 1):
        shown = policy.rank()
        assert list(shown.items) == twin.rank(), f"round {round_}"
        assert shown.propensity == 1.0
        waiting.append((shown, clicks_of(users, shown, policy.seed)))
        if len(waiting) > delay:
            shown, clicks = waiting.pop((7 * round_) % len(waiting))
            if round_ % 10 != 9 or delay == 0:  # some are never answered
                answer(policy, shown, clicks)
                twin.update([int(i) for i in shown.items], clicks)
        assert policy.clusters == tuple(tuple(c.members) for c in twin.clusters)
    items = range(policy.n_items)
    assert policy.state.clicked.tolist() == [twin.clicked(item) for item in items]
    assert policy.state.rounds.tolist() == [twin.rounds(item) for item in items]


@pytest.mark.parametrize("number", range(12))
def test_compiled_and_literal_agree_round_by_round(number: int) -> None:
    n_items, n_positions, users = problem(number)
    horizon = HORIZONS[number % 4]
    agree(
        SAM(n_items, n_positions, seed=number, horizon=horizon),
        SAMTwin(n_items, n_positions, horizon=horizon),
        users,
        n_rounds=2000,
    )


@pytest.mark.parametrize("number", range(8))
def test_they_agree_when_answers_are_late_out_of_order_or_missing(number: int) -> None:
    n_items, n_positions, users = problem(number)
    horizon = HORIZONS[number % 4]
    agree(
        SAM(n_items, n_positions, seed=number, horizon=horizon),
        SAMTwin(n_items, n_positions, horizon=horizon),
        users,
        n_rounds=1000,
        delay=number + 1,
    )


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


# Skipping.


@pytest.mark.parametrize("name", PROBLEMS)
def test_skipping_changes_no_bit(name: str) -> None:
    users, n_positions = PROBLEMS[name]
    skipped, played = (
        simulate(
            ("sam", {"horizon": 50}),
            users,
            n_positions=n_positions,
            n_rounds=10**5,
            n_games=2,
            seed=11,
            skip=skip,
        )
        for skip in (True, False)
    )
    assert np.array_equal(skipped.regret, played.regret)


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


# Files, options, work.


def test_a_loaded_sam_goes_on_exactly(tmp_path: Any) -> None:
    policy, draw = SAM(7, 4, horizon=5), Random(5)

    def play(one: SAM, n_rounds: int, draw: Random) -> list[Ranking]:
        played = []
        for _ in range(n_rounds):
            played.append(one.rank())
            one.update(played[-1], [i for i in played[-1].items if draw.random() < int(i) / 7])
        return played

    play(policy, 45, draw)
    late = [policy.rank() for _ in range(10)]
    policy.save(tmp_path / "state")
    copy = load(tmp_path / "state")
    assert isinstance(copy, SAM)
    for one in (policy, copy):
        for shown in late:
            one.update(shown, shown.items[:1])
    assert play(policy, 300, Random(1)) == play(copy, 300, Random(1))
    assert contents(policy) == contents(copy)


@pytest.mark.parametrize(
    ("horizon", "sentence"),
    [
        (0, f"horizon must be in 1..{2**60}, got 0"),
        (1e7, f"horizon must be an integer in 1..{2**60}, got 10000000.0"),
    ],
)
def test_a_wrong_horizon_is_named_with_its_rule(horizon: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        SAM(3, 2, horizon=horizon)
    assert str(caught.value) == sentence


def test_a_simulation_without_horizon_is_told_how_to_give_it() -> None:
    users, n_positions = PROBLEMS["simul-pbm"]
    with pytest.raises(ArgumentError, match="policy 'sam' needs horizon"):
        simulate("sam", users, n_positions=n_positions, n_rounds=10)


def test_it_loses_far_less_than_random_order() -> None:
    users = PBM([0.8, 0.5, 0.2, 0.1], [1.0, 0.7])
    floor, learner = (
        simulate(policy, users, n_positions=2, n_rounds=50_000, n_games=10).mean[-1]
        for policy in ("random", ("sam", {"horizon": 50_000}))
    )
    assert learner < floor / 10
