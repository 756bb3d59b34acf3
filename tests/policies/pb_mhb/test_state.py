"""Statistics of PB-MHB that a state file may hold."""

from typing import Any

import numpy as np
import pytest

from unirank import ArgumentError
from unirank.policies import PBMHB


def with_counts(rounds: int, clicks: int, **options: Any) -> PBMHB:
    """A policy that showed 4 items at 3 positions often, all clicked as often, at random."""
    policy = PBMHB(4, 3, **options)
    policy.restore(
        {
            **policy.statistics(),
            "theta": np.array([0.301, 0.302, 0.299, 0.3]),
            "kappa": np.array([1.0, 0.998, 0.999]),
            "item_clicks": np.full(4, 3 * clicks),
            "position_clicks": np.full(3, 4 * clicks),
            "refused": np.full((4, 3), rounds // 12 - clicks),
            "rounds": np.array([rounds]),
        }
    )
    return policy


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("theta", [0.0, 0.5, 0.5, 0.5], "theta must be in"),
        ("theta", [1e-320, 0.5, 0.5, 0.5], "theta must be in"),
        ("theta", [1.0, 0.5, 0.5, 0.5], "theta must be in"),
        ("theta", [np.nan, 0.5, 0.5, 0.5], "theta must be in"),
        ("theta", [0.5, 0.5], r"theta must have shape \(4,\)"),
        ("kappa", [0.9, 0.5, 0.5], "kappa must be 1, then"),
        ("kappa", [1.0, 0.5, 1.0], "kappa must be 1, then"),
        ("kappa", [1.0, np.nan, 0.5], "kappa must be 1, then"),
        ("item_clicks", [-1, 1, 3, 3], "item_clicks must be counts"),
        ("item_clicks", [25, 0, 0, 0], "item_clicks must be counts"),
        ("item_clicks", [4, 3, 3, 3], "must have the same sum"),
        ("item_clicks", [22, 0, 0, 0], "must add up to at most the number of rounds"),
        ("position_clicks", [21, 1, 1], "must add up to at most the number of rounds"),
        ("position_clicks", [2**62, 4, 4], "position_clicks must be counts"),
        ("refused", np.full((4, 3), -1), "refused must be counts"),
        ("refused", np.full((4, 3), 9), "must add up to at most the number of rounds"),
        ("rounds", [-1], "rounds must be in"),
        ("rounds", [2**62], "rounds must be in"),
    ],
)
def test_a_forged_statistic_is_refused(name: str, value: Any, sentence: str) -> None:
    policy = with_counts(24, 1)
    true = {key: array.copy() for key, array in policy.statistics().items()}
    policy.restore(true)
    forged = {**true, name: np.array(value, true[name].dtype)}
    with pytest.raises(ArgumentError, match=sentence):
        policy.restore(forged)
