"""dcmKL-UCB: the click that ends what was read."""

import numpy as np
import pytest

from tests.policies.cascades import after_opening
from unirank import DCM, simulate
from unirank.policies import DCMKLUCB


@pytest.mark.parametrize(
    ("clicked", "n_read"), [([], 4), ([0], 1), ([0, 2], 3), ([1, 2], 3), ([0, 3], 4)]
)
def test_all_down_to_the_last_click_counts(clicked: list[int], n_read: int) -> None:
    policy = after_opening(DCMKLUCB, 6, 4)
    shown = policy.rank()
    clicks = [shown.items[position] for position in clicked]
    policy.update(shown, clicks)
    read = shown.items[:n_read]
    np.testing.assert_array_equal(policy.state.cells["shown"], [1 + (i in read) for i in range(6)])
    np.testing.assert_array_equal(
        policy.state.cells["clicked"], [int(i in clicks) for i in range(6)]
    )


@pytest.mark.parametrize("clicked", [0, 1])
def test_two_items_right_after_the_opening_are_ranked_by_their_means(clicked: int) -> None:
    policy = DCMKLUCB(2, 1)
    for _ in range(2):
        shown = policy.rank()
        policy.update(shown, {clicked} & set(shown.items))
    assert policy.rank().items == (clicked,)


def test_it_learns_on_dependent_clicks() -> None:
    users = DCM([0.5, 0.4, 0.3, 0.2, 0.1, 0.05], [0.6, 0.6, 0.6])
    learner, floor = (
        simulate(name, users, n_positions=3, n_rounds=10**5, n_games=10).mean[-1]
        for name in ("dcm-kl-ucb", "random")
    )
    assert learner < floor / 50
