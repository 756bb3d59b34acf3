"""The best list beside scipy's, and how rarely it has to be found."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from unirank import PBM, KLCombUCB1
from unirank.plain.indices import kl_ucb
from unirank.policies.kl_comb_ucb.best_list import find_best


def index_of(cell: Any, budget: float) -> float:
    return kl_ucb(cell["clicked"] / max(cell["shown"], 1), int(cell["shown"]), budget)


def test_the_list_has_the_largest_sum_at_any_budget() -> None:
    draws = np.random.default_rng(2)
    policy = KLCombUCB1(6, 3, seed=4)
    for _ in range(200):
        shown = policy.rank()
        policy.update(shown, [item for item in shown.items if draws.random() < 0.4])
        budget = float(draws.choice([0.0, 1.0, 4.0, 9.0]))
        find_best(policy.state, budget)
        cells = policy.state.cells
        index = [[index_of(cell, budget) for cell in row] for row in cells]
        _, best = linear_sum_assignment(index + cells["noise"], maximize=True)
        assert policy.state.best.items.tolist() == best.tolist()
        policy.state.now["stale"] = True


def rounds_of(
    policy: KLCombUCB1, users: PBM, n_rounds: int
) -> Iterator[tuple[KLCombUCB1, list[int]]]:
    """Play, and stop after each ranking."""
    for round_ in range(1, n_rounds + 1):
        shown = policy.rank()
        items = [int(i) for i in shown.items]
        yield policy, items
        clicks = users.draw_clicks(items, seed=1, round=round_)
        policy.update(shown, [i for i, c in zip(shown.items, clicks, strict=True) if c])


def test_a_clear_best_list_is_kept_without_a_look() -> None:
    users, policy = PBM([0.9, 0.5, 0.1], [1.0, 0.5]), KLCombUCB1(3, 2, seed=1)
    mends = [int(p.state.now["n_mends"][0]) for p, _ in rounds_of(policy, users, 5000)]
    assert sum(n > 0 for n in mends[4000:]) < 200


@pytest.mark.parametrize(
    ("attraction", "n_positions"), [([0.3, 0.3, 0.2, 0.2, 0.1], 3), ([0.0] * 12, 4), ([0.5] * 4, 4)]
)
def test_bounds_prove_the_list(attraction: list[float], n_positions: int) -> None:
    users = PBM(attraction, np.linspace(1.0, 0.5, n_positions))
    policy = KLCombUCB1(len(attraction), n_positions, seed=3)
    for p, items in rounds_of(policy, users, 3000):
        cells, now = p.state.cells, p.state.now[0]
        index = np.array([[index_of(c, now["budget"]) for c in row] for row in cells])
        _, best = linear_sum_assignment(index + cells["noise"], maximize=True)
        assert items == best.tolist()
        above = p.state.weights - index - cells["noise"]  # lower bounds on the list, upper ones off
        on = np.zeros(index.shape, bool)
        on[np.arange(n_positions), items] = True
        assert (above[on] < 1e-11).all()
        assert (above[~on] > -1e-11).all()


@pytest.mark.parametrize("attraction", [[0.1, 0.08, 0.06] + [1e-4] * 5, [0.0] * 8])
def test_ties_are_told_apart_by_noise_without_solving(attraction: list[float]) -> None:
    policy = KLCombUCB1(8, 3, seed=1)
    limit = len(policy.state.left) - 3
    for p, _ in rounds_of(policy, PBM(attraction, [1.0, 0.9, 0.8]), 2000):
        assert max(p.state.now["n_mends"][0], p.state.now["n_left"][0]) < limit


def test_lists_too_close_for_bounds_are_found_by_solving() -> None:
    policy = KLCombUCB1(5, 2, seed=1)
    policy.state = policy.state._replace(left=policy.state.left[:2])  # leaves no room for a doubt
    other = KLCombUCB1(5, 2, seed=1)
    users = PBM([0.3, 0.3, 0.2, 0.2, 0.1], [1.0, 0.7])
    played = zip(rounds_of(policy, users, 1000), rounds_of(other, users, 1000), strict=True)
    assert all(ours == theirs for (_, ours), (_, theirs) in played)
