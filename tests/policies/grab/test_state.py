"""The leader of GRAB beside scipy's assignment, its table of leaders, its files."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from tests.policies.leaders import with_counts
from unirank import ArgumentError
from unirank.policies import GRAB, SGRAB
from unirank.policies.grab.state import full, put_in_order
from unirank.policies.kernels.counting import SMALLEST


@pytest.mark.parametrize("cls", [GRAB, SGRAB])
def test_the_leader_is_the_best_assignment_of_means(cls: Any) -> None:
    draws = np.random.default_rng(4)
    policy = cls(7, 4, seed=3)
    for _ in range(500):
        _, best = linear_sum_assignment(
            policy.state.weights if policy.round else np.zeros((4, 7)), maximize=True
        )
        if policy.round:
            assert policy.leader == tuple(best.tolist())
        shown = policy.rank()
        policy.update(shown, [item for item in shown.items if draws.random() < 0.3])
        means = policy.state.cells["clicked"] / np.maximum(policy.state.cells["shown"], 1)
        noisy = means + policy.state.cells["noise"]
        np.testing.assert_array_equal(policy.state.weights, noisy)


def test_positions_are_ordered_by_weight_then_number() -> None:
    policy = with_counts(GRAB, [[1, 0, 0], [0, 3, 0], [0, 0, 2]], [[9] * 3] * 3)
    assert policy.leader == (0, 1, 2)
    for weights, order in [
        ([0.1, 0.3, 0.2], [1, 2, 0]),
        ([0.3, 0.3, 0.3], [0, 1, 2]),
        ([0.3, 0.1, 0.3], [0, 2, 1]),
    ]:
        np.fill_diagonal(policy.state.weights, weights)
        put_in_order(policy.state)
        assert policy.state.order.tolist() == order


def test_the_table_of_leaders_grows() -> None:
    policy, draws = GRAB(30, 3, seed=1), np.random.default_rng(1)
    met: dict[tuple[int | str, ...], int] = {}
    for _ in range(3 * SMALLEST):
        counts = policy.state.cells
        counts["shown"] = 1000
        counts["clicked"] = draws.integers(0, 1000, counts.shape)
        policy.state.now["prepared"], policy.state.now["stale"] = False, True
        leader = policy.leader
        met[leader] = met.get(leader, 0) + 1
        policy.rank()
    assert len(policy.state.leader_keys) >= 2 * len(met) > SMALLEST
    assert not full(policy.state)
    assert sorted(policy.statistics()["leader_counts"].tolist()) == sorted(met.values())


def test_growing_keeps_the_leaders_count() -> None:
    policy = with_counts(GRAB, [[9, 0], [0, 9]], [[9, 9], [9, 9]], 17)
    policy.grow()
    policy.rank()
    assert policy.statistics()["leader_counts"].tolist() == [18]


FINE = {
    "shown": np.ones((2, 3), np.int64),
    "clicked": np.ones((2, 3), np.int64),
    "leader_keys": np.array([5, 6], np.uint64),
    "leader_counts": np.array([1, 2]),
}


@pytest.mark.parametrize(
    ("forged", "message"),
    [
        ({"leader_keys": np.array([5, 5], np.uint64)}, "unique"),
        ({"leader_keys": np.array([0, 5], np.uint64)}, "unique and not 0"),
        ({"leader_keys": np.array([5], np.uint64)}, "same length"),
        ({"leader_counts": np.array([1, -1])}, "leader_counts must be counts"),
        ({"leader_counts": np.array([1, 2**62])}, "leader_counts must be counts"),
        ({"clicked": np.full((2, 3), 2)}, "clicked must be counts"),
    ],
)
def test_forged_statistics_are_refused(forged: dict[str, Any], message: str) -> None:
    policy = GRAB(3, 2)
    policy.restore(FINE)
    with pytest.raises(ArgumentError, match=message):
        policy.restore({**FINE, **forged})


def test_answers_before_the_first_ranking_of_a_loaded_policy_count() -> None:
    policy = GRAB(3, 1, seed=2)
    late = policy.rank()
    loaded = GRAB.from_saved(policy.to_saved())
    for one in (policy, loaded):
        one.update(late, late.items)
    assert loaded.rank() == policy.rank()
    np.testing.assert_array_equal(loaded.state.weights, policy.state.weights)
