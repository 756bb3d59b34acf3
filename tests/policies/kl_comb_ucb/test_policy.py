"""KL-CombUCB1: its twin, its index by hand, its options, and what it learns."""

from math import exp, log
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from tests.policies.cascades import problem
from tests.policies.leaders import answer, clicks_of
from tests.reference.click_models import ClickModel
from tests.reference.kl_comb_ucb import KLCombUCB1Twin
from unirank import PBM, ArgumentError, KLCombUCB1, Ranking, simulate
from unirank.kernels.indices import budget, kl_ucb

N_ROUNDS = 2000


def agree(policy: KLCombUCB1, twin: KLCombUCB1Twin, users: ClickModel, *, delay: int = 0) -> None:
    """Both give the same rankings and count the same, with answers `delay` rounds late."""
    waiting: list[tuple[Ranking, list[bool]]] = []
    for round_ in range(1, N_ROUNDS + 1):
        expected = twin.rank()
        shown = policy.rank()
        assert list(shown.items) == expected, f"round {round_}"
        assert shown.propensity == 1
        waiting.append((shown, clicks_of(users, shown, policy.seed)))
        if len(waiting) > delay:
            shown, clicks = waiting.pop((7 * round_) % len(waiting))
            answer(policy, shown, clicks)
            twin.update([int(i) for i in shown.items], clicks)
    np.testing.assert_array_equal(policy.state.cells["shown"], twin.shown)
    np.testing.assert_array_equal(policy.state.cells["clicked"], twin.clicked)


@pytest.mark.parametrize("number", range(10))
def test_rankings_are_those_of_the_twin(number: int) -> None:
    n_items, n_positions, users = problem(number)
    horizon = {3: 5000, 6: 1}.get(number)
    options: dict[str, Any] = {"budget": "horizon", "horizon": horizon} if horizon else {}
    policy = KLCombUCB1(n_items, n_positions, seed=number, **options)
    twin = KLCombUCB1Twin(n_items, n_positions, seed=number, horizon=horizon)
    agree(policy, twin, users)


@pytest.mark.parametrize(("n_items", "n_positions"), [(4, 3), (3, 3), (2, 1)])
def test_late_clicks_teach_what_prompt_ones_do(n_items: int, n_positions: int) -> None:
    _, _, users = problem(30)
    policy = KLCombUCB1(n_items, n_positions, seed=5)
    agree(policy, KLCombUCB1Twin(n_items, n_positions, seed=5), users, delay=7)


def with_counts(
    clicked: list[list[int]], shown: list[list[int]], rounds: int, **options: Any
) -> KLCombUCB1:
    policy = KLCombUCB1(len(clicked[0]), len(clicked), **options)
    counts = {"clicked": np.array(clicked), "shown": np.array(shown)}
    policy.restore({**counts, "rounds": np.array([rounds])})
    return policy


@pytest.mark.parametrize(("rounds", "first"), [(2, 0), (3, 0), (20, 1)])
def test_the_budget_is_that_of_the_rounds(rounds: int, first: int) -> None:
    # Never clicked in 5 shows: 1 - exp(-b / 5), .24 at t = 3 and .72 at t = 20; the other is .5.
    b = log(20) + 3 * log(log(20))
    assert 1 - exp(-b / 5) == pytest.approx(0.716, abs=1e-3)
    policy = with_counts([[5 * 10**11, 0]], [[10**12, 5]], rounds)
    assert policy.rank().items == (first,)


@pytest.mark.parametrize(("horizon", "first"), [(31, 0), (33, 1)])
def test_a_known_horizon_fixes_the_budget(horizon: int, first: int) -> None:
    options: dict[str, Any] = {"budget": "horizon", "horizon": horizon}
    policy = with_counts([[5 * 10**11, 0]], [[10**12, 5]], 10**6, **options)
    assert policy.rank().items == (first,)


def test_the_sum_counts_and_not_the_best_cell() -> None:
    # .9 + .1 at most for item 0 on top, .8 + .8 for the other list.
    clicked = [[9 * 10**8, 8 * 10**8], [8 * 10**8, 10**8]]
    policy = with_counts(clicked, [[10**9] * 2] * 2, 10**6)
    assert policy.rank().items == (1, 0)


def test_every_cell_is_tried_first() -> None:
    policy = KLCombUCB1(4, 2, seed=1)
    for _ in range(4):
        policy.update(policy.rank(), [])
    assert (policy.state.cells["shown"] == 1).all()


def test_the_first_list_is_random() -> None:
    assert len({KLCombUCB1(3, 2, seed=seed).rank().items for seed in range(100)}) == 6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": "leader"}, "rounds"),
        ({"budget": "horizon"}, "horizon must be an integer with budget='horizon', got None"),
        ({"horizon": 10}, "horizon must be None unless budget='horizon', got 10"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        KLCombUCB1(3, 2, **options)


@pytest.mark.parametrize("rounds", [[-1], [2**62], [1, 2]])
def test_forged_rounds_are_refused(rounds: list[int]) -> None:
    policy = KLCombUCB1(3, 2)
    with pytest.raises(ArgumentError, match="rounds must be"):
        policy.restore({**policy.statistics(), "rounds": np.array(rounds)})


def test_it_learns_though_positions_are_out_of_order() -> None:
    users = PBM([0.9, 0.7, 0.5, 0.1, 0.1, 0.1], [0.3, 1.0, 0.6])
    ours, random = (
        simulate(name, users, n_positions=3, n_rounds=50_000, n_games=4, seed=2).mean[-1]
        for name in ("kl-comb-ucb", "random")
    )
    assert ours < 0.05 * random


def test_of_many_items_too_the_list_is_the_best_of_all() -> None:
    # Many cells tie here but for their noise, and the search relies on bounds: every cell is solved
    # for, and all assignments searched by another program.
    n_items, n_positions, n_rounds = 100, 10, 6000
    users = PBM(np.linspace(0.3, 0.001, n_items), np.linspace(1.0, 0.5, n_positions))
    policy = KLCombUCB1(n_items, n_positions, seed=2)
    noise = np.array(KLCombUCB1Twin(n_items, n_positions, seed=2).noise)
    cells = policy.state.cells
    for round_ in range(n_rounds):
        b = budget(round_, 3.0)
        pairs = np.stack([cells["clicked"].ravel(), cells["shown"].ravel()], axis=1)
        distinct, which = np.unique(pairs, axis=0, return_inverse=True)
        solved = [kl_ucb(c / max(n, 1), float(n), b) for c, n in distinct.tolist()]
        weights = np.array(solved)[which.ravel()].reshape(noise.shape) + noise
        _, expected = linear_sum_assignment(weights, maximize=True)
        shown = policy.rank()
        assert list(shown.items) == expected.tolist(), f"round {round_ + 1}"
        clicks = users.draw_clicks([int(i) for i in shown.items], seed=2, round=shown.round)
        policy.update(shown, [i for i, c in zip(shown.items, clicks, strict=True) if c])
