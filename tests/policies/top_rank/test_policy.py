"""TopRank on the cases of its specification, skipped, answered late, saved and loaded."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.lab.simulation.problems import PROBLEMS
from tests.policies.situations import contents, some_clicks
from tests.policies.top_rank.test_state import knowing
from unirank import ArgumentError, Ranking, TopRank, load, simulate
from unirank.policies.top_rank.policy import CONSTANT, hold, threshold

SETTINGS: list[dict[str, Any]] = [
    {"horizon": 100},
    {"horizon": 7, "doubling": True},
    {"horizon": 2000, "constant": 3.43},
    {"horizon": 64, "doubling": True},
    {"horizon": 1, "constant": 1.0},
]


def answer(policy: TopRank, shown: Ranking, draw: Random) -> None:
    policy.update(shown, some_clicks(shown.items, draw))


def clicks_on(liked: int, shown: Ranking) -> list[int | str]:
    """Clicks of a user who likes this item only."""
    return [item for item in shown.items if item == liked]


def play(policy: TopRank, n_rounds: int, seed: int = 2) -> list[Ranking]:
    draw, played = Random(seed), []
    for _ in range(n_rounds):
        played.append(policy.rank())
        answer(policy, played[-1], draw)
    return played


# The specification's numbers.


@pytest.mark.parametrize(("n_compared", "value"), [(1, 5.8865), (10, 19.2231), (100, 62.6542)])
def test_thresholds_are_those_of_the_specification(n_compared: int, value: float) -> None:
    assert threshold(n_compared, 1e-7, CONSTANT) == pytest.approx(value, abs=5e-5)


@pytest.mark.parametrize("constant", [CONSTANT, 3.43])
@pytest.mark.parametrize(("horizon", "streak"), [(10**5, 29), (10**7, 39), (10**12, 62)])
def test_the_shortest_streak_that_proves_an_item_better(
    horizon: int, streak: int, constant: float
) -> None:
    policy = TopRank(2, 2, horizon=horizon, constant=constant)
    for _ in range(streak - 1):
        policy.update(policy.rank(), [1])
    assert not policy.state.better.any()
    policy.update(policy.rank(), [1])
    assert policy.blocks == ((1,), (0,))


def test_one_of_two_items_is_proved_better_at_its_39th_click_and_stays_alone() -> None:
    policy = TopRank(2, 1, horizon=10**7)
    n_clicks = []
    for _ in range(200):
        shown = policy.rank()
        policy.update(shown, clicks_on(0, shown))
        n_clicks += [int(policy.state.wins[0, 1])] if policy.state.better.any() else []
    assert n_clicks[0] == 39
    assert policy.state.better.tolist() == [[False, True], [False, False]]
    assert {shown.items for shown in play(policy, 500)} == {(0,)}


def test_doubling_forgets_all_but_the_clicks_of_the_last_round() -> None:
    policy = TopRank(3, 2, horizon=8, doubling=True, seed=1)
    n_learnt, horizons = {}, {}
    for round_ in range(1, 65):
        shown = policy.rank()
        policy.update(shown, shown.items[:1])
        n_learnt[round_], horizons[round_] = policy.state.wins.sum(), policy.current_horizon
    assert [horizons[round_] for round_ in (7, 8, 15, 16, 31, 32)] == [8, 16, 16, 32, 32, 64]
    assert [n_learnt[round_] for round_ in (8, 16, 32)] == [2, 2, 2]  # one click, two others
    assert [n_learnt[round_] for round_ in (7, 9)] == [14, 4]


def test_doubling_forgets_proofs_too() -> None:
    policy = TopRank(2, 1, horizon=64, doubling=True)
    for _ in range(63):
        shown = policy.rank()
        policy.update(shown, clicks_on(0, shown))
    assert policy.state.better.any()
    policy.update(policy.rank(), [0])
    assert policy.blocks == ((0, 1),)
    assert policy.state.wins.sum() == 0  # alone in its block, item 0 was compared with nobody


def test_without_doubling_the_end_of_the_horizon_changes_nothing() -> None:
    policy = TopRank(3, 2, horizon=8)
    play(policy, 50)
    assert policy.current_horizon == 8


# Propensities.


def test_the_propensity_of_a_rounds_list_is_told_before_all_is_forgotten() -> None:
    policy = TopRank(2, 1, horizon=64, doubling=True)
    for _ in range(63):
        shown = policy.rank()
        policy.update(shown, clicks_on(0, shown))
    assert policy.rank().propensity == 1.0
    assert policy.rank().propensity == 0.5


# Skipping.


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize(
    "options",
    [{"horizon": 10**4}, {"horizon": 100, "doubling": True}, {"horizon": 77_777, "doubling": True}],
    ids=str,
)
def test_skipping_changes_no_bit(name: str, options: dict[str, Any]) -> None:
    users, n_positions = PROBLEMS[name]
    skipped, played = (
        simulate(
            ("toprank", options),
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


def test_one_list_is_held_for_ever() -> None:
    policy = knowing(np.triu(np.ones((3, 3)), 1), 2)
    ranking = np.zeros(2, np.int64)
    assert hold(policy.state, 10**12, ranking) == 10**12
    assert ranking.tolist() == [0, 1]


def test_one_list_is_held_until_all_is_forgotten() -> None:
    policy = knowing(np.triu(np.ones((3, 3)), 1), 2, doubling=True)
    ranking = np.zeros(2, np.int64)
    assert [hold(policy.state, limit, ranking) for limit in (30, 10**6, 10**6)] == [30, 70, 0]
    assert (policy.current_horizon, policy.blocks) == (200, ((0, 1, 2),))


def test_undecided_items_are_not_held() -> None:
    better = np.zeros((3, 3))
    better[0, 1:] = 1
    assert hold(knowing(better, 2).state, 100, np.zeros(2, np.int64)) == 0
    assert hold(knowing(better, 1).state, 100, np.zeros(1, np.int64)) == 100


def test_twice_the_attraction_is_found_and_regret_ends() -> None:
    users, n_positions = PROBLEMS["all-items-shown"]
    trace = simulate(
        ("toprank", {"horizon": 10**6}), users, n_positions=n_positions, n_rounds=10**6, n_games=5
    )
    assert (trace.regret[:, -1] == trace.at(10**5)).all()


# Late clicks, files.


def test_late_clicks_count_for_the_blocks_that_were_played() -> None:
    policy = TopRank(3, 2, horizon=10)
    early = policy.rank()
    for _ in range(50):
        shown = policy.rank()
        policy.update(shown, clicks_on(2, shown))
    assert policy.blocks == ((2,), (0, 1))
    before = policy.state.wins.copy()
    policy.update(early, [early.items[0]])
    (others,) = np.nonzero((policy.state.wins - before)[int(early.items[0])])
    assert others.tolist() == sorted({0, 1, 2} - {int(early.items[0])})


def test_late_clicks_change_no_list_but_by_what_they_teach() -> None:
    prompt, late = (TopRank(6, 3, horizon=1000, seed=4) for _ in range(2))
    shown = [late.rank() for _ in range(40)]
    assert [prompt.rank() for _ in range(40)] == shown
    draw = Random(5)
    clicks = {one.round: some_clicks(one.items, draw) for one in shown}
    for one in shown:
        prompt.update(one.round, clicks[one.round])
    for one in reversed(shown):
        late.update(one, clicks[one.round])
    np.testing.assert_array_equal(prompt.state.wins, late.state.wins)
    assert play(prompt, 100) == play(late, 100)


@pytest.mark.parametrize("options", SETTINGS, ids=str)
@pytest.mark.parametrize("n_unanswered", [0, 1, 40])
def test_a_loaded_toprank_goes_on_exactly(
    tmp_path: Path, options: dict[str, Any], n_unanswered: int
) -> None:
    policy = TopRank(7, 4, seed=5, **options)
    play(policy, 300)
    unanswered = [policy.rank() for _ in range(n_unanswered)]
    policy.save(tmp_path / "state")
    copy = load(tmp_path / "state")
    assert isinstance(copy, TopRank)
    assert contents(copy) == contents(policy)
    for one in (policy, copy):
        draw = Random(6)
        for shown in reversed(unanswered):
            answer(one, shown, draw)
    assert copy.blocks == policy.blocks
    assert play(copy, 300) == play(policy, 300)
    assert contents(copy) == contents(policy)


# Options.


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"horizon": 0}, f"horizon must be in 1..{2**60}, got 0"),
        ({"horizon": 1e7}, f"horizon must be an integer in 1..{2**60}, got 10000000.0"),
        ({"doubling": 1}, "doubling must be True or False, got 1"),
        ({"constant": 0.5}, "constant must be >= 1, got 0.5"),
        ({"constant": float("nan")}, "constant must be a number, got nan"),
        ({"constant": "c"}, "constant must be a number, got 'c'"),
    ],
)
def test_a_wrong_option_is_named_with_its_rule_and_value(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        TopRank(3, 2, **{"horizon": 100, **options})
    assert str(caught.value) == sentence


@pytest.mark.parametrize("policy", ["toprank", ("toprank", {"doubling": True}), TopRank])
def test_a_simulation_without_horizon_is_told_how_to_give_it(policy: Any) -> None:
    users, n_positions = PROBLEMS["simul-pbm"]
    with pytest.raises(ArgumentError) as caught:
        simulate(policy, users, n_positions=n_positions, n_rounds=10)
    told = """policy 'toprank' needs horizon: pass ("toprank", {"horizon": ...})"""
    assert str(caught.value).startswith(told)


def test_an_unknown_option_is_answered_with_the_nearest() -> None:
    with pytest.raises(ArgumentError, match="'horizn'; did you mean 'horizon'"):
        TopRank.check_options({"horizn": 5})
