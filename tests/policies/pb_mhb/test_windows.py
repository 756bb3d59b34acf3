"""Windows change nothing but the time that a round takes, and hold as long as they say."""

from typing import Any

import numpy as np
import pytest

from tests.lab.simulation.problems import PROBLEMS
from unirank import PBM, ClickModel
from unirank.lab.simulation.game import Game
from unirank.policies import PBMHB
from unirank.policies.kernels.truncated_normal import draw_around
from unirank.policies.pb_mhb.likelihood import gained
from unirank.policies.pb_mhb.sweep import items_of, positions_of
from unirank.policies.pb_mhb.windows import CERTAIN

OPTIONS: list[dict[str, Any]] = [{}, {"n_sweeps": 2}, {"step": 30.0}, {"step": 1.0}, {"step": 1e9}]


def game_of(policy: PBMHB, users: ClickModel, number: int, n_rounds: int) -> Game:
    return Game(
        policy,
        users,
        seed=3,
        game=number,
        best_value=users.value(users.best_ranking(policy.n_positions)),
        checkpoints=np.arange(100, n_rounds + 1, 100),
    )


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", ["simul-pbm", "ties-pbm", "simul-cm"])
def test_a_game_is_the_same_without_windows(name: str, options: dict[str, Any]) -> None:
    users, n_positions = PROBLEMS[name]
    with_windows, without = (PBMHB(users.n_items, n_positions, **options) for _ in range(2))
    without.state = without.state._replace(window_rounds=0)
    games = [game_of(policy, users, 1, 60_000) for policy in (with_windows, without)]
    for stop in range(10_000, 60_001, 10_000):
        for game in games:
            game.advance(stop)
        assert with_windows.state.theta.tolist() == without.state.theta.tolist()
        assert with_windows.state.kappa.tolist() == without.state.kappa.tolist()
    assert games[0].regret.tolist() == games[1].regret.tolist()
    found = with_windows.state.item_windows["half"]
    assert (found[found > 0].min(initial=1) < 0.1) == (options.get("step", 1000.0) > 1.0)
    assert not without.state.item_windows["until"].any()


def check_windows(state: Any) -> int:
    """Check all windows that are said to hold; return how many there are."""
    n_held = 0
    for side in (items_of(state), positions_of(state)):
        for place in range(side.first, side.x.size):
            x, window = side.x[place], side.windows[place]
            if window["until"] <= state.now["rounds"][0]:
                continue
            n_held += 1
            for end, room in (("under", "room_under"), ("over", "room_over")):
                if 0 < window[end] < 1:
                    gain = gained(side, place, window[end])
                    assert gain <= CERTAIN - window[room] + 1e-6
                    assert window[room] >= 0
            check_shares(state, x, window)
    return n_held


def check_shares(state: Any, x: float, window: Any) -> None:
    """The random numbers at the ends of a window propose values outside, to its last round."""
    for rounds in (state.now["rounds"][0] + 1, window["until"]):
        drawn = window["middle"] + window["half"] * np.array([-1.0, 1.0])
        inside = (drawn > 0) & (drawn < 1)
        scratch = np.zeros(2), np.zeros(2)
        draw_around(np.full(2, x), 2, state.step / rounds**0.5, drawn, *scratch)
        assert not inside[0] or drawn[0] < window["under"]
        assert not inside[1] or drawn[1] > window["over"]


@pytest.mark.parametrize(
    "users",
    [
        PBM(attraction=[0.3, 0.2, 0.1, 0.001], examination=[1.0, 0.6, 0.4]),
        PBM(attraction=[0.999, 0.99, 0.9, 0.5], examination=[1.0, 0.99, 0.2]),
    ],
    ids=["rare", "frequent"],
)
def test_the_gain_at_the_ends_of_a_window_leaves_the_room_that_is_recorded(users: PBM) -> None:
    policy = PBMHB(4, 3)
    game = game_of(policy, users, 0, 20_000)
    n_held = 0
    for stop in [*range(500, 1500), *range(1500, 20_001, 97)]:
        game.advance(stop)
        n_held += check_windows(policy.state)
    assert n_held > 3000
