"""Counts by bucket: rates, the variance between sessions, first sessions."""

import numpy as np
import pytest

from unirank.page.split.assignment import Assigned
from unirank.page.split.counts import N_BUCKETS, Counts


def test_views_clicks_and_first_sessions_are_counted() -> None:
    counts = Counts(2)
    counts.give(0)
    counts.give(1)
    counts.answer(Assigned(0, 7), 2.0)
    counts.answer(Assigned(0, 7), 1.0)
    counts.answer(Assigned(1, 7), 1.0)  # not the first session of its place
    counts.answer(Assigned(1, 7 + N_BUCKETS), 0.0)
    first, second = counts.of_arm(0), counts.of_arm(1)
    assert (first.given, first.views, first.clicks, first.sessions) == (1, 2, 3.0, 1)
    assert (second.views, second.clicks, second.sessions, second.n_clicked) == (2, 1.0, 1, 1)
    assert first.rate == 1.5
    assert counts.n_views == 4


def test_an_arm_without_views_has_no_rate() -> None:
    arm = Counts(2).of_arm(0)
    assert np.isnan(arm.rate)
    assert np.isnan(arm.variance)


def test_the_variance_by_hand() -> None:
    """Buckets of 3 and 1 views with 1 and 1 clicks: residuals -1/2 and 1/2, weights 1/2 and 1/4."""
    counts = Counts(1)
    for place, clicks in ((1, 1.0), (1, 0.0), (1, 0.0), (2, 1.0)):
        counts.answer(Assigned(0, place), clicks)
    expected = ((-0.5 / 0.5) ** 2 + (0.5 / 0.75) ** 2) / 4**2  # a weight is at most 1/2
    assert counts.of_arm(0).variance == pytest.approx(expected)


@pytest.mark.parametrize("n_views", [1, 8])
def test_the_variance_is_that_between_sessions(n_views: int) -> None:
    """It is compared with the spread over 300 tests, whose own error is 4 %: margin 15 %."""
    rng = np.random.default_rng(3)
    rates, variances = [], []
    for _ in range(300):
        counts = Counts(1)
        taste = rng.gamma(0.5, 2.0, 400)  # clicks per view differ between sessions
        places = rng.integers(2**16, size=400)
        for place, mean in zip(places.tolist(), taste.tolist(), strict=True):
            for clicks in rng.poisson(mean, n_views).tolist():
                counts.answer(Assigned(0, place), clicks)
        rates.append(counts.of_arm(0).rate)
        variances.append(counts.of_arm(0).variance)
    assert np.mean(variances) == pytest.approx(np.var(rates), rel=0.15)
