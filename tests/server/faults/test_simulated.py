"""Several processes learn as one does, and what the service says of its own gain is true.

Everything has fixed seeds; `make statistics` plays more games, longer ones.
"""

import numpy as np
import pytest

from tests.server.faults.simulated import (
    ATTRACTION,
    EXAMINATION,
    covers,
    exported_log,
    lost_clicks,
    week,
)


@pytest.mark.parametrize("policy", ["unirank", "matchrank"])
def test_four_processes_lose_hardly_more_clicks_than_one(policy: str) -> None:
    one, four = (
        np.mean([lost_clicks(policy, n_processes, 1500, seed) for seed in range(8)])
        for n_processes in (1, 4)
    )
    assert four <= 1.1 * one


def test_on_pages_without_an_effect_the_lift_is_rarely_said_to_be_one() -> None:
    weeks = [week(seed, 100) for seed in range(60)]
    assert sum(excluded for excluded, _ in weeks) <= 3  # 5 %
    ratios = [ratio for _, ratio in weeks]
    assert min(ratios) > 0.001  # below it, the shares are called broken
    assert sum(ratio < 0.5 for ratio in ratios) < 45  # p-values, not zeros; 30 +- 4 are expected


@pytest.mark.parametrize("effect", [0.0, 0.3])
def test_reports_that_are_final_when_there_are_clicks_leave_the_lift_true(effect: float) -> None:
    """Their lists have an outcome a day before those without a click."""
    weeks = [week(seed, 1000, effect, final=True) for seed in range(10)]
    assert sum(excluded for excluded, _ in weeks) <= 1
    assert min(ratio for _, ratio in weeks) > 0.001


def test_inverse_propensities_of_the_export_estimate_any_other_order() -> None:
    truth = sum(a * e for a, e in zip(ATTRACTION[2:0:-1], EXAMINATION, strict=False))
    n_covered = sum(
        covers(exported_log("epsilon-greedy", {"epsilon": 0.3}, 300, seed), ["c", "b"], truth)
        for seed in range(100)
    )
    assert 90 <= n_covered <= 99
