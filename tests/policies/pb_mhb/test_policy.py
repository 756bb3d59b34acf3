"""PB-MHB late in a game, and what it shows, learns, saves and refuses."""

from typing import Any

import numpy as np
import pytest

from tests.lab.simulation.problems import PROBLEMS
from tests.policies.pb_mhb.test_state import with_counts
from unirank import ArgumentError, papers, simulate
from unirank.policies import PBMHB


def test_the_particle_is_that_of_the_plain_edition_late_in_a_game() -> None:
    policy = with_counts(12_000_000, 300_000, seed=8)
    literal: Any = papers.PBMHB(4, 3, seed=8)
    literal.clicked[:], literal.refused[:] = 300_000.5, 700_000.5
    literal.theta[:], literal.kappa[:] = policy.state.theta, policy.state.kappa
    literal.given = literal._on_page().round = policy._on_page().round = 12_000_000
    moves = 0
    for _ in range(1000):
        before = policy.state.theta.copy()
        assert literal.rank().items == policy.rank().items
        np.testing.assert_allclose(policy.state.theta, literal.theta, rtol=0, atol=1e-9)
        np.testing.assert_allclose(policy.state.kappa, literal.kappa, rtol=0, atol=1e-9)
        moves += int((policy.state.theta != before).sum())
    assert moves > 10


def test_the_best_item_goes_to_the_most_examined_position() -> None:
    policy = PBMHB(6, 4, seed=3)
    for _ in range(200):
        shown = policy.rank()
        theta, kappa = policy.state.theta, policy.state.kappa
        assert (kappa[0], kappa.max()) == (1, 1)
        assert ((theta > 0) & (theta < 1)).all()
        assert ((kappa[1:] > 0) & (kappa[1:] < 1)).all()
        by_examination = [int(shown.items[k]) for k in np.argsort(-kappa)]
        assert by_examination == np.argsort(-theta)[:4].tolist()


def test_equal_attractions_are_put_in_a_random_order_in_every_round() -> None:
    policy = with_counts(12_000_000, 300_000, seed=8)
    policy.state.theta[:] = 0.3
    lists: set[tuple[int | str, ...]] = set()
    while True:
        shown = policy.rank().items
        if len(set(policy.state.theta)) > 1:
            break
        lists.add(shown)
    assert len(lists) > 5


def test_the_width_of_a_proposal_shrinks_with_the_square_root_of_the_round() -> None:
    changes = {}
    for rounds in (12, 120_000):
        policy = with_counts(rounds, 0, step=1.0, n_sweeps=1)
        policy.state.refused[:], policy.state.refused_by_position[:] = 0.5, 0.5
        before, moved = policy.state.theta.copy(), []
        for _ in range(200):
            policy.rank()
            moved += np.abs(policy.state.theta - before).tolist()
            before = policy.state.theta.copy()
        changes[rounds] = np.mean(moved)
    assert changes[12] > 20 * changes[120_000] > 0


def test_without_warm_start_a_round_forgets_the_particle() -> None:
    cold, other = (PBMHB(5, 3, seed=1, warm_start=False) for _ in range(2))
    other.rank()
    cold.rank()
    other.state.theta[:] = 0.25
    assert other.rank().items == cold.rank().items
    assert set(other.state.theta) == set(cold.state.theta)
    warm, moved = (PBMHB(5, 3, seed=1) for _ in range(2))
    moved.rank()
    warm.rank()
    moved.state.theta[:] = 0.25
    moved.rank()
    warm.rank()
    assert set(moved.state.theta) != set(warm.state.theta)


@pytest.mark.parametrize("options", [{}, {"n_sweeps": 3}, {"step": 1.0}], ids=str)
def test_it_loses_less_than_a_tenth_of_what_random_does(options: dict[str, Any]) -> None:
    users, n_positions = PROBLEMS["ties-pbm"]
    lost = {}
    for name, policy in (("random", "random"), ("pb-mhb", ("pb-mhb", options))):
        trace = simulate(policy, users, n_positions=n_positions, n_rounds=20_000, n_games=4, seed=2)
        lost[name] = trace.regret[:, -1].mean()
    assert lost["pb-mhb"] < 0.1 * lost["random"]


def test_it_needs_no_order_of_the_positions_but_the_first() -> None:
    policy = PBMHB(4, 3, seed=2)
    draw = np.random.default_rng(3)
    examination, attraction = [1.0, 0.3, 0.8], [0.2, 0.9, 0.7, 0.4]
    for _ in range(5000):
        shown = policy.rank()
        chances = [examination[k] * attraction[int(i)] for k, i in enumerate(shown.items)]
        clicked = draw.random(3) < chances
        policy.update(shown, [i for i, c in zip(shown.items, clicked, strict=True) if c])
    lists = [policy.rank().items for _ in range(200)]
    assert lists.count((1, 3, 2)) > 150


# Options.


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"step": 0}, "step must be a number > 0, got 0"),
        ({"step": float("nan")}, "step must be a number > 0, got nan"),
        ({"step": 1e10}, "step must be in 1e-06..1e+09, got 10000000000.0"),
        ({"step": 1e-7}, "step must be in 1e-06..1e+09, got 1e-07"),
        ({"n_sweeps": 0}, "n_sweeps must be >= 1, got 0"),
        ({"n_sweeps": 1.0}, "n_sweeps must be an integer >= 1, got 1.0"),
        ({"n_sweeps": 2**22}, "n_sweeps must be in 1..what a round can draw=1677721, got 4194304"),
        ({"warm_start": 1}, "warm_start must be True or False, got 1"),
    ],
)
def test_a_wrong_option_is_named_with_its_rule_and_value(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        PBMHB(3, 2, **options)
    assert str(caught.value) == sentence
