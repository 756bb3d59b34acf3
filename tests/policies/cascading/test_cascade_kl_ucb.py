"""CascadeKL-UCB: its index by hand, and what it is good and bad at."""

from math import exp, log

import numpy as np
import pytest

from tests.lab.simulation.problems import PROBLEMS
from tests.policies.cascades import after_opening, with_counts
from unirank import PBM, simulate
from unirank.policies import CascadeKLUCB


@pytest.mark.parametrize("clicked", [[1, 2], [1, 3], [1, 2, 3]])
def test_below_the_first_click_nothing_counts_even_if_clicked(clicked: list[int]) -> None:
    policy = after_opening(CascadeKLUCB, 5, 4)
    shown = policy.rank()
    policy.update(shown, [shown.items[position] for position in clicked])
    read = shown.items[:2]
    np.testing.assert_array_equal(policy.state.cells["shown"], [1 + (i in read) for i in range(5)])
    assert policy.state.cells["clicked"].tolist() == [int(i == shown.items[1]) for i in range(5)]


def test_the_index_by_hand() -> None:
    # Never clicked in n looks: 1 - exp(-b / n). Always clicked: 1.
    policy = with_counts(CascadeKLUCB, [0, 0, 5], [10, 20, 5], 100)
    assert policy.rank().items == (2, 0, 1)
    left = log(100) + 3 * log(log(100))
    expected = [1 - exp(-left / 10), 1 - exp(-left / 20), 1.0]
    np.testing.assert_allclose(policy.state.indices, expected, atol=1e-12)


@pytest.mark.parametrize("clicked", [0, 1])
def test_two_items_right_after_the_opening_are_ranked_by_their_means(clicked: int) -> None:
    # t = 2: ln 2 + 3 ln ln 2 is negative.
    policy = CascadeKLUCB(2, 2)
    for _ in range(2):
        shown = policy.rank()
        policy.update(shown, {clicked} & set(shown.items[:1]))
    assert (policy.rank().items[0], policy.state.indices.tolist()) == (
        clicked,
        [1.0 - clicked, float(clicked)],
    )


def test_two_items_that_were_never_clicked_tie_after_the_opening() -> None:
    policy = after_opening(CascadeKLUCB, 2, 2)
    assert policy.rank().propensity == 0.5
    assert policy.state.indices.tolist() == [0.0, 0.0]


def test_on_cascade_clicks_it_loses_less_than_unirank() -> None:
    # 115 against 175, with standard errors 1.4 and 4.2: the gap is 13 of their combined size.
    users, n_positions = PROBLEMS["simul-cm"]
    cascade, unirank = (
        simulate(name, users, n_positions=n_positions, n_rounds=10**6, n_games=10).regret[:, -1]
        for name in ("cascade-kl-ucb", "unirank")
    )
    error = np.hypot(cascade.std(ddof=1), unirank.std(ddof=1)) / np.sqrt(10)
    assert unirank.mean() - cascade.mean() > 6 * error


def growth(users: PBM) -> float:
    """How many times the regret after 10^5 rounds is lost after 10^6, on the mean of ten games."""
    rounds = [10**5, 10**6]
    trace = simulate(
        "cascade-kl-ucb",
        users,
        n_positions=users.n_positions,
        n_rounds=10**6,
        n_games=10,
        checkpoints=rounds,
    )
    return float(trace.mean[1] / trace.mean[0])


def test_its_regret_is_linear_where_looks_fade_faster_than_attraction() -> None:
    # 8.4 times; an item put second looks worse than the one before it, though it is better.
    assert growth(PBM([0.5, 0.45, 0.4, 0.35, 0.3, 0.25], [1.0, 0.6, 0.4, 0.3])) > 5


def test_its_regret_is_logarithmic_where_attraction_fades_faster_than_looks() -> None:
    # 1.26 times: on simul-pbm the wrong model still gives the right order.
    users, _ = PROBLEMS["simul-pbm"]
    assert isinstance(users, PBM)
    assert growth(users) < 2
