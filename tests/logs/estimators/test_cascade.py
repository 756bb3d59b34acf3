from math import log

import numpy as np
import pytest

from tests.logs.estimators.agreement import random_sessions, statistics_of
from tests.logs.estimators.recovery import check_recovery
from unirank.logs.estimators import fit, log_likelihood
from unirank.users import CM


@pytest.mark.parametrize("prior", [0.0, 2.0])
def test_attraction_is_first_clicks_over_what_was_read_down_to_them(prior: float) -> None:
    sessions = random_sessions(4)
    clicks, reads = dict.fromkeys("abcde", 0), dict.fromkeys("abcde", 0)
    for session in sessions:
        for position, item in enumerate(session.items):
            reads[item] += 1
            if position in session.clicks:
                clicks[item] += 1
                break
    found = fit(statistics_of(4), "cm", prior=prior)
    expected = [(clicks[item] + prior) / (reads[item] + 2 * prior) for item in "abcde"]
    assert found.parameters["attraction"].tolist() == pytest.approx(expected)
    assert found.impressions.tolist() == list(reads.values())
    assert (found.settled, found.n_starts) == (True, 1)
    if not prior:
        terms = zip(clicks.values(), reads.values(), expected, strict=True)
        height = sum(c * log(a) + (n - c) * log(1 - a) for c, n, a in terms)
        assert found.log_likelihood == pytest.approx((height,))


def test_no_other_attraction_is_more_likely() -> None:
    statistics = statistics_of(4)
    top = fit(statistics, "cm")
    rng = np.random.default_rng(1)
    for _ in range(20):
        other = np.clip(top.parameters["attraction"] + rng.normal(0, 0.05, 5), 0.01, 0.99)
        assert log_likelihood(statistics, CM(other)) < top.log_likelihood[-1]


def test_the_truth_is_found() -> None:
    check_recovery("cm", CM([0.2, 0.8, 0.5, 0.35, 0.6, 0.1]), margin=4)
