"""MatchRank learns fast on its own ground and on others', and survives late answers."""

from typing import Any

import numpy as np
import pytest

from unirank import CM, PBM, MatchRank, simulate
from unirank.lab import load_experiment
from unirank.policies.match_rank.memory import MEMORY
from unirank.policies.papers import MatchRank as PlainMatchRank


@pytest.mark.parametrize(
    ("experiment", "most"),
    [("simul-pbm", 49.0), ("simul-cm", 43.0)],
)
def test_it_loses_few_clicks_on_simul(experiment: str, most: float) -> None:
    """The mean over 40 games is 45.6 +- 0.5 and 39.5 +- 0.5."""
    users = load_experiment(experiment).users
    scale = {"n_positions": 5, "n_rounds": 10**5, "n_games": 10}
    found = simulate("matchrank", users, **scale).mean[-1]  # type: ignore[arg-type]
    assert found < most
    assert found < simulate("unirank", users, **scale).mean[-1] / 2  # type: ignore[arg-type]


def test_the_least_doubt_changes_no_bit_before_round_61500() -> None:
    """1 / sqrt(1000 + t) = 1/250 there: 250^2 - 1000 = 61,500."""
    users = CM([0.5, 0.45, 0.3, 0.2, 0.1])
    checkpoints = [*range(500, 61_501, 500), 10**5, 2 * 10**5]
    settings: Any = {"n_positions": 3, "n_rounds": 2 * 10**5, "n_games": 4, "seed": 5}
    now, first = (
        simulate(("matchrank", options), users, checkpoints=checkpoints, **settings).regret
        for options in ({"least_doubt": 1 / 250}, {})
    )
    np.testing.assert_array_equal(now[:, :-2], first[:, :-2])
    assert (now[:, -1] != first[:, -1]).all()


def test_a_log_teaches_the_same_whatever_least_doubt_it_is_replayed_with() -> None:
    """A service lets a round pass for each outcome of its log, and learns from what was shown."""
    users = PBM(np.linspace(0.4, 0.05, 6), [1.0, 0.7, 0.5])
    first = MatchRank(6, 3, seed=4, least_doubt=0.0)
    replayed = [MatchRank(6, 3, seed=4, least_doubt=doubt) for doubt in (0.0, 0.2)]
    n_other = 0
    for n in range(1, 1501):
        shown = first.rank_at(n)
        clicked = users.draw_clicks([int(item) for item in shown.items], seed=9, round=n)
        clicks = [item for item, click in zip(shown.items, clicked, strict=True) if click]
        lists = [policy.rank().items for policy in replayed]
        n_other += lists[0] != lists[1]
        for policy in (first, *replayed):
            policy.learn(shown.items, shown.memory, clicks)
    assert n_other > 100  # they would show other lists
    one, other = (policy.statistics() for policy in replayed)
    for name, array in one.items():
        np.testing.assert_array_equal(array, other[name], err_msg=name)


def test_answers_in_any_order_teach_the_same() -> None:
    learnt = []
    for order in (1, -1):
        policy = MatchRank(6, 3, seed=3)
        shown = [policy.rank() for _ in range(200)]
        for ranking in shown[::order]:
            policy.update(ranking, ranking.items[:1])
        learnt.append(policy.state)
    for name in ("shown", "clicked"):
        np.testing.assert_array_equal(*(getattr(state, name) for state in learnt))
    for name in ("gain", "spread"):
        one, other = (getattr(state, name) for state in learnt)
        np.testing.assert_allclose(one, other, atol=1e-12)
    assert learnt[0].gain.any()


def test_an_old_page_soon_knows_a_new_item_that_nobody_clicks() -> None:
    """In 20,000 rounds a refresh comes every 400: at that pace it would be in most of them."""
    users = PBM(np.linspace(0.4, 0.05, 8), [1.0, 0.7, 0.5])
    policy = MatchRank(8, 3, seed=1)

    def visit() -> bool:
        shown = policy.rank()
        known = [item for item in shown.items if item != "new"]
        clicks = users.draw_clicks([int(item) for item in known], seed=1, round=shown.round)
        policy.update(shown, [item for item, c in zip(known, clicks, strict=True) if c])
        return "new" in shown.items

    for _ in range(20_000):
        visit()
    policy.add("new")
    assert 5 < sum(visit() for _ in range(400)) < 60


def test_a_new_item_is_not_better_than_the_best_before_it_was_shown() -> None:
    policy = MatchRank(6, 2, seed=1)
    for _ in range(3000):
        shown = policy.rank()
        policy.update(shown, [item for item in (4, 5) if item in shown.items[:1]])
    best = policy.leader[0]
    policy.add("new")
    assert policy.leader[0] == best
    believed = {belief.of: belief.value for belief in policy.explain().attraction}
    others = [value for item, value in believed.items() if item != "new"]
    assert min(others) < believed["new"] < max(others)


def test_a_new_item_stands_last_in_the_start_order() -> None:
    policy = MatchRank(["tea", "mug", "pot"], 3, seed=1, start=["tea", "mug", "pot"], trust=1000)
    policy.add("new")
    assert policy.leader == ("tea", "mug", "pot")


def test_answers_that_come_in_one_batch_are_learnt_at_once() -> None:
    """The model fits 8,000 answers; a single step from its start would be far off."""
    users = PBM([0.01, 0.02, 0.05, 0.1, 0.2], [1.0, 0.7, 0.5])
    policy = MatchRank(5, 3, seed=1)
    for shown in policy.rank_many(8000):
        items = [int(item) for item in shown.items]
        clicks = users.draw_clicks(items, seed=1, round=shown.round)
        policy.update(shown, [item for item, c in zip(items, clicks, strict=True) if c])
    assert policy.leader == (4, 3, 2)
    for belief in policy.explain().attraction:
        assert belief.low < users.attraction[int(belief.of)] < belief.high


def test_a_round_remembers_its_test() -> None:
    policy = MatchRank(4, 2, seed=1)
    memory = policy.rank().memory
    ranking = np.array(policy.last_ranking)
    assert policy.check_memory(ranking, memory)
    inside, outside = ranking[0], next(i for i in range(4) if i not in ranking)

    def forged(slot: int, other: int, weight: float) -> bytes:
        return np.array([(slot, other, weight)], MEMORY).tobytes()

    assert policy.check_memory(ranking, forged(2, outside, 0.5))
    for wrong in (
        b"",
        memory[:8],
        forged(3, outside, 0.5),
        forged(-1, outside, 0.5),
        forged(2, inside, 0.5),
        forged(2, 4, 0.5),
        forged(1, 0, 1.5),
        forged(1, 0, np.nan),
    ):
        assert not policy.check_memory(ranking, wrong)


def test_strong_tests_overrule_the_lists_of_a_sure_model() -> None:
    policy = MatchRank(2, 2, seed=4)
    for _ in range(2000):
        policy.update(policy.rank(), [0])
    assert policy.leader == (0, 1)
    policy.state.odds[...] = [[1.0, 1e12], [1e-12, 1.0]]  # that item 1 is better, from its tests
    shown = [policy.rank().items for _ in range(50)]
    assert set(shown) == {(1, 0)}
    assert policy.leader == (1, 0)


def test_the_leader_is_a_list_of_ids() -> None:
    policy = MatchRank(items=["a", "b", "c"], n_positions=2, seed=1)
    for _ in range(300):
        shown = policy.rank()
        policy.update(shown, clicks={"c"} & set(shown))
    assert policy.leader[0] == "c"
    assert len(policy.leader) == 2


@pytest.mark.parametrize("seed", range(4))
def test_both_editions_have_the_same_leader(seed: int) -> None:
    editions: list[Any] = [cls(6, 3, seed=seed) for cls in (MatchRank, PlainMatchRank)]
    users = PBM(attraction=[0.1, 0.2, 0.3, 0.3, 0.6, 0.7], examination=[1.0, 0.3, 0.9])
    for round_ in range(1, 150):
        shown = [policy.rank().items for policy in editions]
        assert shown[0] == shown[1]  # to look at the leader changes no ranking
        clicks = users.draw_clicks(list(map(int, shown[0])), seed=seed, round=round_)
        for policy in editions:
            policy.update(round_, [i for i, c in zip(shown[0], clicks, strict=True) if c])
        assert editions[0].leader == editions[1].leader


@pytest.mark.parametrize("edition", [MatchRank, PlainMatchRank])
def test_an_item_that_nobody_has_seen_does_not_lead(edition: Any) -> None:
    policy = edition(items=["a", "b", "c", "d"], n_positions=3, seed=0)
    for _ in range(300):  # c and d are worse than the mean item
        shown = policy.rank()
        policy.update(shown, clicks=[item for item in shown.items if item in "ab"])
    before = policy.leader
    policy.add("new")
    assert policy.leader == before
    assert any("new" in policy.rank().items for _ in range(10))  # it is tried


def test_the_leader_has_seen_the_last_click() -> None:
    policy = MatchRank(["a", "b", "c"], 3, seed=1)
    shown = policy.rank()
    policy.update(shown, [shown[2]])
    assert policy.leader[0] == shown[2]


def test_an_item_of_the_last_page_can_be_put_into_the_leader_by_tests() -> None:
    policy = MatchRank(4, 2, seed=1)
    policy.rank()
    state = policy.state
    for item in range(2, 4):  # one of them may have been on the page
        state.odds[...] = 1.0
        state.odds[state.order[1], item] = 1e9
        state.page[item] = state.now["rounds"][0]
        assert policy.leader == (state.order[0], item)
