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
        ("leader", 0, "leader must hold every item once"),
        ("leader", 9, "leader must hold every item once"),
        ("shape_a", 0.5, "shape_a and shape_b must be at least 1"),
        ("cholesky", 0.0, "cholesky must have a positive diagonal"),
        ("gap", np.nan, "gap must be finite numbers"),
        ("log_attraction", np.inf, "log_attraction must be finite numbers"),
        ("now_rounds", -1, "sets and rounds must be counts"),
    ],
)
def test_a_forged_statistic_is_refused(name: str, value: Any, sentence: str) -> None:
    forged = {key: array.copy() for key, array in learnt().statistics().items()}
    forged[name][...] = value
    with pytest.raises(ArgumentError, match=sentence):
        MatchRank(5, 3).restore(forged)


def test_a_statistic_of_another_size_is_refused() -> None:
    forged = {**learnt().statistics(), "gap": np.zeros((4, 4))}
    with pytest.raises(ArgumentError, match=r"gap must have shape \(5, 5\), got \(4, 4\)"):
        MatchRank(5, 3).restore(forged)
