"""The checker agrees with Lemma 1 and with the paper's sentences."""

import numpy as np
import pytest

from tests.lab.theory.problems import of_all_models, pbm_and_cm
from tests.reference import theory
from unirank.lab.theory.assumptions import Assumptions, check_assumptions
from unirank.users import DBN, DCM, UBM, ClickModel


def holds(found: Assumptions) -> list[bool]:
    return [assumption.holds for assumption in found.all]


def test_lemma_1_on_pbm_and_cm() -> None:
    n_strict = 0
    for users, _, n_positions in pbm_and_cm(200, seed=5):
        theta = np.sort(users.parameters.attraction)[::-1]
        strict = bool((theta[:n_positions][:-1] > theta[1:n_positions]).all())
        strict &= n_positions == users.n_items or theta[n_positions - 1] > theta[n_positions]
        n_strict += strict
        for method in ("closed form", "exhaustive"):
            found = check_assumptions(users, n_positions, method=method)
            assert holds(found) == [True, strict, True, True], (users, n_positions, method)
            assert found.theorem_applies == strict
            levels = [
                sorted({float(users.parameters.attraction[i]) for i in s}) for s in found.order
            ]
            assert levels == [[value] for value in sorted(set(theta.tolist()), reverse=True)]
    assert 100 < n_strict < 190  # both kinds are there


def test_some_order_satisfies_all_iff_the_twin_finds_one() -> None:
    seen = set()
    for users, twin, n_positions in of_all_models(90, seed=8, n_items=3):
        n_positions = min(n_positions, 3)
        found = check_assumptions(users, n_positions)
        assert found.some_order == bool(theory.some_order(twin, 3, n_positions))
        assert found.theorem_applies == bool(theory.some_order(twin, 3, n_positions, total=True))
        seen.add((users.name, found.some_order))
    assert {some for _, some in seen} == {True, False}


def test_each_assumption_is_that_of_the_twin() -> None:
    for users, twin, n_positions in of_all_models(36, seed=9, n_items=3):
        found = check_assumptions(users, n_positions, method="exhaustive")
        assert theory.identifiable(twin, found.order, n_positions)
        assert found.optimal_reward.holds == theory.optimal_reward(twin, found.order, n_positions)


@pytest.mark.parametrize(
    "users",
    [DCM([0.5, 0.4, 0.3], [0.6, 0.6]), UBM([0.5, 0.4, 0.3], [[0.5, 1.0], [0.9, 0.8]])],
)
def test_other_click_models_can_satisfy_all(users: ClickModel) -> None:
    found = check_assumptions(users, 2)
    assert holds(found) == [True, True, True, True]
    assert found.order == ((0,), (1,), (2,))


def test_a_sample_finds_the_same_where_little_is_at_stake() -> None:
    users = DBN([0.6, 0.5, 0.4, 0.3], [0.9, 0.1, 0.1, 0.1], 0.05)
    sampled = check_assumptions(users, 3, method="sampled")
    assert holds(sampled) == [True, True, False, True]
    assert 0 < sampled.pairs.most_exceptions < 0.001
