"""A round of BubbleRank: which positions swap, what is compared, and when nothing is any more."""

import numpy as np
import pytest

from tests.policies.bubble_rank.test_policy import clicks_on
from tests.policies.side_by_side import play_until
from unirank import BubbleRank
from unirank.policies.bubble_rank.round import hold


def moved(policy: BubbleRank, n_rounds: int) -> dict[int, set[tuple[int, ...]]]:
    """The sets of neighbouring positions, from 1, that swap in even and in odd rounds."""
    found: dict[int, set[tuple[int, ...]]] = {0: set(), 1: set()}
    for _ in range(n_rounds):
        shown = policy.rank()
        differ = [p for p in range(1, policy.n_positions + 1) if shown.items[p - 1] != p - 1]
        found[shown.round % 2].add(tuple(differ))
    return found


def test_even_rounds_swap_12_and_34_and_odd_ones_23_and_45() -> None:
    found = moved(BubbleRank(5, 5, horizon=100, initial=range(5)), 200)
    assert found[0] == {(), (1, 2), (3, 4), (1, 2, 3, 4)}
    assert found[1] == {(), (2, 3), (4, 5), (2, 3, 4, 5)}


@pytest.mark.parametrize(("n_positions", "parity"), [(1, 0), (2, 1), (4, 1), (5, 0)])
def test_the_pool_reaches_the_last_position_when_the_pairs_leave_it_out(
    n_positions: int, parity: int
) -> None:
    policy = BubbleRank(9, n_positions, horizon=100, initial=range(n_positions))
    newcomers: dict[int, set[int]] = {0: set(), 1: set()}
    for _ in range(400):
        shown = policy.rank()
        newcomers[shown.round % 2] |= {int(i) for i in shown.items if int(i) >= n_positions}
        assert all(int(item) < n_positions for item in shown.items[:-1])
    assert newcomers[parity] == set(range(n_positions, 9))
    assert newcomers[1 - parity] == set()


def test_a_pool_item_and_the_last_one_are_compared_equally_often() -> None:
    # Everyone clicks: each of the 2 x 4 comparisons has 1/8 of 10,000 rounds, +- 5 deviations.
    policy = BubbleRank(5, 1, horizon=10**9, initial=[0])
    for _ in range(20_000):
        shown = policy.rank()
        policy.update(shown, shown.items)
    wins = policy.state.wins
    assert wins[1:, 1:].sum() == 0
    assert wins[0, 0] == 0
    assert np.concatenate((wins[0, 1:], wins[1:, 0])) == pytest.approx(1250, abs=5 * 33)


def test_only_one_position_without_a_pool_is_held() -> None:
    ranking = np.zeros(1, np.int64)
    alone = BubbleRank(3, 1, horizon=10, initial=[2])
    assert hold(alone.state, 100, ranking) == 0
    play_until(alone, lambda: not alone.pool, lambda shown: clicks_on(2, shown))
    assert hold(alone.state, 100, ranking) == 100
    assert ranking.tolist() == [2]
    certain = BubbleRank(2, 2, horizon=2, initial=[0, 1])
    for _ in range(100):
        certain.update(certain.rank(), [0])
    assert hold(certain.state, 100, np.zeros(2, np.int64)) == 0


def test_certainty_can_be_lost_again() -> None:
    policy = BubbleRank(2, 2, horizon=2, initial=[0, 1])
    for _ in range(24):
        policy.update(policy.rank(), [0])  # 12 wins: just above 16 ln 2 = 11.1
    assert {policy.rank().items for _ in range(50)} == {(0, 1)}
    for _ in range(4):
        policy.update(policy.rank(), [1])
    assert {policy.rank().items for _ in range(50)} == {(0, 1), (1, 0)}
