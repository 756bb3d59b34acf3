"""MatchRank learns fast on its own ground and on others', and survives late answers."""

import numpy as np
import pytest

from unirank import MatchRank, simulate
from unirank.lab import load_experiment


@pytest.mark.parametrize(
    ("experiment", "most"),
    [("simul-pbm", 51.0), ("simul-cm", 45.0)],
)
def test_it_loses_few_clicks_on_simul(experiment: str, most: float) -> None:
    """The mean over 40 games is 47.1 +- 0.4 and 41.3 +- 0.5."""
    users = load_experiment(experiment).users
    scale = {"n_positions": 5, "n_rounds": 10**5, "n_games": 10}
    found = simulate("matchrank", users, **scale).mean[-1]  # type: ignore[arg-type]
    assert found < most
    assert found < simulate("unirank", users, **scale).mean[-1] / 2  # type: ignore[arg-type]


def test_the_doubt_falls_like_one_over_the_root_of_the_rounds() -> None:
    policy = MatchRank(4, 2, seed=1)
    policy.rank()
    assert policy.state.now["doubt"][0] == 0.03
    policy.state.now["rounds"] = policy.state.now["next_refresh"] = 9999
    policy.rank()
    assert policy.state.now["doubt"][0] == 0.01


def test_doubt_shows_neighbours_the_other_way_round_now_and_then() -> None:
    policy = MatchRank(2, 2, seed=1)
    policy.state.shown[...] = 10**6
    policy.state.clicked[...] = [[600_000, 300_000], [400_000, 200_000]]
    policy.state.now["rounds"] = policy.state.now["next_refresh"] = 4 * 10**6
    swapped = sum(policy.rank().items == (1, 0) for _ in range(20_000))
    expected = 20_000 * 0.0005  # doubt 1 / sqrt(4 10^6), and no matched comparison yet
    assert abs(swapped - expected) < 5 * np.sqrt(expected)
    assert swapped > 0


def test_answers_in_any_order_leave_the_same_counts() -> None:
    counts = []
    for order in (1, -1):
        policy = MatchRank(6, 3, seed=3)
        shown = [policy.rank() for _ in range(50)]
        for ranking in shown[::order]:
            policy.update(ranking, ranking.items[:1])
        counts.append(policy.state.shown.copy())
    np.testing.assert_array_equal(*counts)


def test_a_round_remembers_its_number_and_the_leader_it_was_shown_under() -> None:
    policy = MatchRank(4, 2, seed=1)
    policy.rank()
    memory = policy.remember()
    ranking = np.array(policy.last_ranking)
    assert policy.check_memory(ranking, memory)
    for forged in (b"", memory[:8], np.array([0, 0]).tobytes(), np.array([1, 99]).tobytes()):
        assert not policy.check_memory(ranking, forged)


def test_the_leader_is_a_list_of_ids() -> None:
    policy = MatchRank(items=["a", "b", "c"], n_positions=2, seed=1)
    for _ in range(300):
        shown = policy.rank()
        policy.update(shown, clicks={"c"} & set(shown))
    assert policy.leader[0] == "c"
    assert len(policy.leader) == 2
