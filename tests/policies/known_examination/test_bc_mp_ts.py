"""BC-MP-TS: its twin, its shapes by hand, and that it is not misled by positions."""

import numpy as np
import pytest
from scipy import stats

from tests.policies.sampling import NUMBERS, agree, problem, samples_of, with_counts
from tests.reference.posterior_sampling import BCMPTSTwin
from tests.simulation.problems import PROBLEMS
from unirank import BCMPTS, PBM, ArgumentError, simulate


@pytest.mark.parametrize("number", NUMBERS)
def test_rankings_are_those_of_the_twin(number: int) -> None:
    n_items, n_positions, looks, users = problem(number)
    policy = BCMPTS(n_items, n_positions, examination=looks, seed=number)
    agree(policy, BCMPTSTwin(n_items, n_positions, examination=looks, seed=number), users)


@pytest.mark.parametrize("number", [0, 2])
def test_late_answers_count_like_prompt_ones(number: int) -> None:
    n_items, n_positions, looks, users = problem(number)
    policy = BCMPTS(n_items, n_positions, examination=looks, seed=number)
    twin = BCMPTSTwin(n_items, n_positions, examination=looks, seed=number)
    agree(policy, twin, users, delay=25)


def test_before_any_round_half_a_click_in_one_display_is_counted_at_each_position() -> None:
    # a = 1 + 3/2; b = 1 + (1 - 1/2) + (0.8 - 1/2) + 0, for 0.2 < 1/2.
    policy = BCMPTS(4, 3, examination=[1.0, 0.8, 0.2])
    np.testing.assert_allclose(policy.state.shapes, [[2.5, 1.8]] * 4, rtol=1e-15)


def test_a_surplus_of_clicks_is_not_taken_from_other_positions() -> None:
    # Second position: 0.5 (1 + 9) - 8.5 looks without a click are none, not -3.5.
    policy = with_counts(BCMPTS, [[2, 8], [0, 0]], [[9, 9], [0, 0]], 2, examination=[1.0, 0.5])
    np.testing.assert_allclose(policy.state.shapes[0], [1 + 2.5 + 8.5, 1 + 10 - 2.5], rtol=1e-15)


def test_samples_are_beta() -> None:
    policy = with_counts(BCMPTS, [[3, 1], [0, 0]], [[9, 19], [0, 4]], 2, examination=[1.0, 0.5])
    samples = samples_of(policy, 4000)
    shapes = [(1 + 3.5 + 1.5, 1 + 6.5 + 8.5), (1 + 0.5 + 0.5, 1 + 0.5 + 2.0)]
    for item, (a, b) in enumerate(shapes):
        assert 1e-4 < stats.kstest(samples[:, item], stats.beta(a, b).cdf).pvalue < 1 - 1e-4


def test_shapes_are_derived_again_from_restored_counts() -> None:
    policy = BCMPTS(4, 2, examination=[0.9, 0.3])
    for _ in range(50):
        shown = policy.rank()
        policy.update(shown, shown.items[:1])
    copy = with_counts(BCMPTS, policy.state.clicked, policy.state.shown, 2, examination=[0.9, 0.3])
    np.testing.assert_array_equal(copy.state.shapes, policy.state.shapes)


def test_its_propensity_is_not_told() -> None:
    assert np.isnan(BCMPTS(3, 2, examination=[1, 0.5]).rank().propensity)


def test_it_needs_the_examination() -> None:
    users, n_positions = PROBLEMS["simul-pbm"]
    with pytest.raises(ArgumentError, match="'bc-mp-ts' needs examination"):
        simulate("bc-mp-ts", users, n_positions=n_positions, n_rounds=10)
    with pytest.raises(ArgumentError, match="examination must be above 0, got 0"):
        BCMPTS(3, 2, examination=[1, 0])


def test_it_is_not_misled_where_looks_fade_faster_than_attraction() -> None:
    # 84 against 2743 for MP-TS, which takes every position for looked at, and 17236 at random.
    users = PBM([0.5, 0.45, 0.4, 0.35, 0.3, 0.25], [1.0, 0.6, 0.4, 0.3])
    informed = ("bc-mp-ts", {"examination": [1.0, 0.6, 0.4, 0.3]})
    corrected, plain, floor = (
        simulate(policy, users, n_positions=4, n_rounds=10**5, n_games=10).mean[-1]
        for policy in (informed, "mp-ts", "random")
    )
    assert corrected < plain / 5 < floor / 5
