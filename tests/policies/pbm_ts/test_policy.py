"""PBM-TS: its distribution where that is known, and that positions do not mislead it."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.policies.counted import samples_of, with_counts
from unirank import PBM, ArgumentError, simulate
from unirank.policies import PBMTS


def test_where_all_is_looked_at_samples_are_beta_and_independent() -> None:
    clicked, shown = [[0, 0], [2, 1], [30, 20], [5, 4]], [[0, 0], [4, 6], [500, 500], [5, 4]]
    options = {"examination": [1.0, 1.0], "seed": 5}
    policy = with_counts(PBMTS, 2, options, clicked=clicked, shown=shown)
    samples = samples_of(policy, 4000)
    for item, shapes in enumerate([(1, 1), (4, 8), (51, 951), (10, 1)]):
        assert 1e-4 < stats.kstest(samples[:, item], stats.beta(*shapes).cdf).pvalue < 1 - 1e-4
    others = np.asarray(np.corrcoef(samples.T))[np.triu_indices(4, 1)]
    assert np.abs(others).max() < 4.5 / np.sqrt(4000)


def test_there_is_no_opening_before_the_first_click_every_list_is_as_likely() -> None:
    lists = [PBMTS(3, 2, examination=[1, 0.5], seed=seed).rank().items for seed in range(3000)]
    counts = list({items: lists.count(items) for items in lists}.values())
    assert len(counts) == 6
    assert 1e-4 < stats.chisquare(counts).pvalue < 1 - 1e-4


def test_more_displays_than_rounds_are_refused() -> None:
    def counted(*shown: int) -> Any:
        counts = {"clicked": [[0, 0]] * 2, "shown": [list(shown)] * 2}
        return with_counts(PBMTS, 2, {"examination": [1, 1]}, **counts)

    half = 2**39
    counted(half, half - 1).rank()
    for shown in ([half, half], [2**60, 2**60]):
        with pytest.raises(ArgumentError, match=f"shown must be at most {2**40 - 1}"):
            counted(*shown)


def test_its_propensity_is_not_told() -> None:
    assert np.isnan(PBMTS(3, 2, examination=[1, 0.5]).rank().propensity)


def test_it_is_not_misled_where_looks_fade_faster_than_attraction() -> None:
    users = PBM([0.5, 0.45, 0.4, 0.35, 0.3, 0.25], [1.0, 0.6, 0.4, 0.3])
    informed = ("pbm-ts", {"examination": [1.0, 0.6, 0.4, 0.3]})
    sampling, floor = (
        simulate(policy, users, n_positions=4, n_rounds=10**5, n_games=10).mean[-1]
        for policy in (informed, "random")
    )
    assert sampling < floor / 100
