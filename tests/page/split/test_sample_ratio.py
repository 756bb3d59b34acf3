"""The check of the shares: exact values, rare false alarms at any time, and broken splits found."""

from math import exp, lgamma

import numpy as np
import pytest

from unirank.page.split.sample_ratio import LEVEL, p_value


def test_the_bayes_factor_by_hand() -> None:
    """One session in an arm of share 1/2: the prior mean is 1/2, so the factor is 1."""
    assert p_value([0, 0], [0.5, 0.5]) == 1.0
    assert p_value([1, 0], [0.5, 0.5]) == pytest.approx(1.0)
    factor = exp(lgamma(52) - lgamma(50) - lgamma(102) + lgamma(100)) / 0.25
    assert p_value([2, 0], [0.5, 0.5]) == pytest.approx(1 / factor)


def test_a_sound_split_is_hardly_ever_called_broken_however_often_one_looks() -> None:
    """400 splits watched at every 10th session; at the level 0.05 at most 5 % may fail."""
    rng = np.random.default_rng(5)
    n_alarms = 0
    for _ in range(400):
        counts = np.cumsum(rng.random(3000) < 0.1)[9::10]
        totals = np.arange(10, 3001, 10)
        n_alarms += any(
            p_value([int(n), int(t - n)], [0.1, 0.9]) < 0.05
            for n, t in zip(counts, totals, strict=True)
        )
    assert n_alarms <= 20


@pytest.mark.parametrize(
    ("counts", "shares"),
    [([900, 9100], [0.1, 0.9]), ([5200, 4800], [0.5, 0.5]), ([3000, 3600, 3400], [1 / 3] * 3)],
)
def test_a_broken_split_is_found(counts: list[int], shares: list[float]) -> None:
    n = sum(counts)
    sound = [round(n * share) for share in shares]
    assert p_value(sound, shares) > 0.5
    assert p_value([3 * c for c in counts], shares) < LEVEL
