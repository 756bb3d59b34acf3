"""MatchRank's state survives plain data, and a forged file is refused in one line."""

from typing import Any

import numpy as np
import pytest

from unirank import ArgumentError, MatchRank
from unirank.policies.match_rank.state import put_statistics, statistics_of


def learnt() -> MatchRank:
    policy = MatchRank(5, 3, seed=2)
    for _ in range(200):
        shown = policy.rank()
        policy.update(shown, [item for item in shown if int(item) > 2])
    return policy


def test_statistics_put_into_a_new_state_are_the_same_statistics() -> None:
    policy, other = learnt(), MatchRank(5, 3, seed=2)
    before = {name: array.copy() for name, array in policy.statistics().items()}
    put_statistics(other.state, before)
    for name, array in statistics_of(other.state).items():
        np.testing.assert_array_equal(array, before[name], name)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("clicked", -1, "clicked must be counts of at most shown"),
        ("clicked", 10**6, "clicked must be counts of at most shown"),
        ("order", 0, "order must hold every item once"),
        ("order", 9, "order must hold every item once"),
        ("spread", -0.5, "spread must be at least 0, got -0.5"),
        ("gain", np.nan, "gain must be finite numbers"),
        ("log_attraction", np.inf, "log_attraction must be finite numbers"),
        ("rounds", -1, "rounds must be a count, got -1"),
    ],
)
def test_a_forged_statistic_is_refused(name: str, value: Any, sentence: str) -> None:
    forged = {key: array.copy() for key, array in learnt().statistics().items()}
    forged[name][...] = value
    with pytest.raises(ArgumentError, match=sentence):
        MatchRank(5, 3).restore(forged)


def test_a_statistic_of_another_size_is_refused() -> None:
    forged = {**learnt().statistics(), "gain": np.zeros((4, 4))}
    with pytest.raises(ArgumentError, match=r"gain must have shape \(5, 5\), got \(4, 4\)"):
        MatchRank(5, 3).restore(forged)
