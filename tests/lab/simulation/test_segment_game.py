"""Games against segments: how they are cut does not matter, and each policy plays its own part."""

from typing import Any

import numpy as np
import pytest

from unirank import PBM, ArgumentError, Segments, simulate
from unirank.lab.simulation.segment_game import SegmentGame
from unirank.policies import registry

LOOKS = [1.0, 0.7, 0.4]
TASTES = [[0.5, 0.1, 0.3, 0.05, 0.2], [0.1, 0.5, 0.05, 0.3, 0.2], [0.3, 0.3, 0.3, 0.1, 0.6]]
CONTEXTS = [{"device": device} for device in ("mobile", "desktop", "tablet")]
USERS = Segments(CONTEXTS, [0.5, 0.3, 0.2], [PBM(taste, LOOKS) for taste in TASTES])
SPECS: dict[str, tuple[str, dict[str, Any]]] = {
    "one for all": ("unirank", {}),
    "one each": ("per-context", {"policy": "unirank", "by": ["device"]}),
}


def new_game(name: str) -> SegmentGame:
    policy, options = SPECS[name]
    return SegmentGame(
        registry[policy](5, 3, seed=2, **options),
        USERS,
        seed=2,
        game=1,
        best_values=[model.best_value(3) for model in USERS.users],
        checkpoints=np.arange(100, 3001, 100),
    )


@pytest.mark.parametrize("name", SPECS)
def test_how_a_game_is_cut_changes_no_bit(name: str) -> None:
    whole, cut = new_game(name), new_game(name)
    whole.advance(3000)
    for stop in (1, 2, 50, 999, 1000, 1001, 2400, 3000):
        cut.advance(stop)
        assert cut.rounds == stop
        assert np.isnan(cut.regret).sum() == 30 - stop // 100
    assert np.array_equal(whole.regret, cut.regret)


def test_no_visitor_is_lost_or_met_twice() -> None:
    """Random lists do not depend on clicks: one policy for all loses what one each lose."""
    one = simulate("random", USERS, n_positions=3, n_rounds=3000, n_games=3)
    each = ("per-context", {"policy": "random", "by": ["device"]})
    many = simulate(each, USERS, n_positions=3, n_rounds=3000, n_games=3)
    np.testing.assert_allclose(one.regret, many.regret, rtol=1e-12)


def test_an_oracle_loses_to_each_visitor_what_its_list_lacks() -> None:
    ranking = list(USERS.users[0].best_ranking(3))
    trace = simulate(
        ("oracle", {"ranking": ranking}), USERS, n_positions=3, n_rounds=1000, n_games=3, seed=9
    )
    gaps = [model.best_value(3) - model.value(ranking) for model in USERS.users]
    assert gaps[0] == 0.0
    for game in range(3):
        (met,) = USERS.visitors([1000], seed=9, game=game)
        assert trace.regret[game, -1] == pytest.approx(met @ gaps, rel=1e-9)
    assert trace.best_ranking == [list(best) for best in USERS.best_rankings(3)]
    assert np.abs(trace.gain(ranking)).max() < 1e-9


def test_the_best_lists_can_be_given() -> None:
    given = USERS.best_rankings(3)
    found, told = (
        simulate("random", USERS, n_positions=3, n_rounds=50, best_ranking=best).regret
        for best in (None, given)
    )
    assert np.array_equal(found, told)
    with pytest.raises(ArgumentError, match="best_ranking must be a list of 3 rankings, one for"):
        simulate("random", USERS, n_positions=3, n_rounds=50, best_ranking=given[0][:2])
