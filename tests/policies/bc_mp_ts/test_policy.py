"""BC-MP-TS: its shapes by hand, and that it is not misled by positions."""

import numpy as np
from scipy import stats

from tests.policies.counted import samples_of, with_counts
from unirank import PBM, simulate
from unirank.policies import BCMPTS
from unirank.policies.bc_mp_ts.policy import shapes_of


def test_before_any_round_half_a_click_in_one_display_is_counted_at_each_position() -> None:
    # a = 1 + 3/2; b = 1 + (1 - 1/2) + (0.8 - 1/2) + 0, for 0.2 < 1/2.
    policy = BCMPTS(4, 3, examination=[1.0, 0.8, 0.2])
    np.testing.assert_allclose(shapes_of(policy.state, 3), [2.5, 1.8], rtol=1e-15)


def test_a_surplus_of_clicks_is_not_taken_from_other_positions() -> None:
    # Second position: 0.5 (1 + 9) - 8.5 looks without a click are none, not -3.5.
    looks = {"examination": [1.0, 0.5]}
    policy = with_counts(BCMPTS, 2, looks, clicked=[[2, 8], [0, 0]], shown=[[9, 9], [0, 0]])
    expected = [1 + 2.5 + 8.5, 1 + 10 - 2.5]
    np.testing.assert_allclose(shapes_of(policy.state, 0), expected, rtol=1e-15)


def test_samples_are_beta() -> None:
    looks = {"examination": [1.0, 0.5]}
    policy = with_counts(BCMPTS, 2, looks, clicked=[[3, 1], [0, 0]], shown=[[9, 19], [0, 4]])
    samples = samples_of(policy, 4000)
    shapes = [(1 + 3.5 + 1.5, 1 + 6.5 + 8.5), (1 + 0.5 + 0.5, 1 + 0.5 + 2.0)]
    for item, (a, b) in enumerate(shapes):
        assert 1e-4 < stats.kstest(samples[:, item], stats.beta(a, b).cdf).pvalue < 1 - 1e-4


def test_its_propensity_is_not_told() -> None:
    assert np.isnan(BCMPTS(3, 2, examination=[1, 0.5]).rank().propensity)


def test_it_is_not_misled_where_looks_fade_faster_than_attraction() -> None:
    # 84 against 2743 for MP-TS, which takes every position for looked at, and 17236 at random.
    users = PBM([0.5, 0.45, 0.4, 0.35, 0.3, 0.25], [1.0, 0.6, 0.4, 0.3])
    informed = ("bc-mp-ts", {"examination": [1.0, 0.6, 0.4, 0.3]})
    corrected, plain, floor = (
        simulate(policy, users, n_positions=4, n_rounds=10**5, n_games=10).mean[-1]
        for policy in (informed, "mp-ts", "random")
    )
    assert corrected < plain / 5 < floor / 5
