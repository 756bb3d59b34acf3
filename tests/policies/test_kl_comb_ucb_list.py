"""The best list beside scipy's, and how rarely it has to be found."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from tests.reference.indices import kl_ucb
from unirank import PBM, KLCombUCB1
from unirank.policies.kl_comb_ucb_list import find_best


def test_the_list_has_the_largest_sum_at_any_budget() -> None:
    draws = np.random.default_rng(2)
    policy = KLCombUCB1(6, 3, seed=4)
    for _ in range(200):
        shown = policy.rank()
        policy.update(shown, [item for item in shown.items if draws.random() < 0.4])
        budget = float(draws.choice([0.0, 1.0, 4.0, 9.0]))
        find_best(policy.state, budget)
        cells = policy.state.cells
        index = [
            [kl_ucb(c["clicked"] / max(c["shown"], 1), int(c["shown"]), budget) for c in row]
            for row in cells
        ]
        _, best = linear_sum_assignment(index + cells["noise"], maximize=True)
        assert policy.state.best.items.tolist() == best.tolist()
        policy.state.now["stale"] = True


def test_a_clear_best_list_is_kept_without_a_look() -> None:
    users, policy = PBM([0.9, 0.5, 0.1], [1.0, 0.5]), KLCombUCB1(3, 2, seed=1)
    n_stale = 0
    for round_ in range(1, 5001):
        shown = policy.rank()
        clicks = users.draw_clicks([int(i) for i in shown.items], seed=1, round=round_)
        policy.update(shown, [i for i, c in zip(shown.items, clicks, strict=True) if c])
        n_stale += round_ > 4000 and bool(policy.state.now["stale"][0])
    assert n_stale < 200
