"""Gaps between the leader and its neighbours, beside sums of all indices."""

from typing import Any

import numpy as np
import pytest

from unirank.policies import GRAB, SGRAB
from unirank.policies.grab.neighbours import bound_gaps, gap, highest_gap, lowest_gap, show
from unirank.policies.plain.indices import kl_ucb


@pytest.mark.parametrize("cls", [GRAB, SGRAB])
def test_gaps_are_differences_of_summed_indices(cls: Any) -> None:
    draws = np.random.default_rng(7)
    policy = cls(6, 3, seed=1)
    for round_ in range(300):
        shown = policy.rank()
        policy.update(shown, [item for item in shown.items if draws.random() < 0.4])
        budget = float(draws.choice([0.0, 2.0, 6.0]))
        state, leader = policy.state, np.array(policy.leader)
        bound_gaps(state, budget)
        for number in range(len(state.first)):
            other = leader.copy()
            show(state, number, other)
            sums = [
                sum(index(state.cells[k, i], budget) for k, i in enumerate(items))
                for items in (leader, other)
            ]
            assert highest_gap(state, number, budget) >= sums[1] - sums[0] - 1e-10
            if round_ % 3 == 0:
                assert lowest_gap(state, number, budget) <= sums[1] - sums[0] + 1e-10
            if round_ % 2:
                assert gap(state, number, budget) == pytest.approx(sums[1] - sums[0], abs=1e-10)


def index(cell: Any, budget: float) -> float:
    shown = int(cell["shown"])
    return kl_ucb(int(cell["clicked"]) / shown if shown else 0.0, shown, budget)
