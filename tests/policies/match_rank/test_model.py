"""The position model: its mode, its prior and its temper, against numbers worked out by hand."""

import numpy as np
import pytest
from scipy import stats

from unirank import MatchRank
from unirank.kernels.randomness import POLICY, address
from unirank.policies.match_rank.model import SLOPE, normal, refresh, sample
from unirank.policies.match_rank.state import State

ATTRACTION = np.array([0.6, 0.4, 0.3, 0.2])
EXAMINATION = np.array([1.0, 0.7, 0.4])


def counted(n_displays: int, attraction: np.ndarray = ATTRACTION) -> State:
    """A converged model of items that were shown equally often at each position."""
    state: State = MatchRank(len(attraction), len(EXAMINATION)).state
    state.shown[...] = n_displays
    state.clicked[...] = np.rint(n_displays * attraction[:, None] * EXAMINATION)
    for _ in range(20):
        refresh(state)
    return state


def test_the_mode_is_the_truth_where_counts_are_large() -> None:
    state = counted(10**6)
    np.testing.assert_allclose(np.exp(state.log_attraction), ATTRACTION, rtol=1e-3)
    np.testing.assert_allclose(np.exp(state.log_examination), EXAMINATION, rtol=1e-3)


def test_an_item_that_was_never_shown_is_as_attractive_as_the_mean() -> None:
    state = counted(1000)
    state.shown[3] = state.clicked[3] = 0
    for _ in range(20):
        refresh(state)
    looks = (state.shown * np.exp(state.log_examination)).sum()
    mean = (state.clicked.sum() + 0.5) / (looks + 1)
    assert np.exp(state.log_attraction[3]) == pytest.approx(mean, rel=1e-6)


def test_the_prior_of_an_item_is_one_click_in_as_many_displays_as_a_mean_item_needs() -> None:
    state = counted(1000)
    state.shown[3] = [50, 0, 0]
    state.clicked[3] = [2, 0, 0]
    for _ in range(30):
        refresh(state)
    looks = (state.shown * np.exp(state.log_examination)).sum()
    mean = (state.clicked.sum() + 0.5) / (looks + 1)
    expected = (2 + 1) / (50 + 1 / mean)
    assert np.exp(state.log_attraction[3]) == pytest.approx(expected, rel=1e-6)


def test_without_displays_examination_falls_by_the_prior() -> None:
    state: State = MatchRank(4, 3).state
    for _ in range(20):
        refresh(state)
    np.testing.assert_allclose(state.log_examination, -SLOPE * np.arange(3), atol=1e-9)


def test_examination_never_rises() -> None:
    state: State = MatchRank(2, 2).state
    state.shown[...] = 1000
    state.clicked[...] = [[100, 300], [50, 150]]
    for _ in range(20):
        refresh(state)
    assert state.log_examination.tolist() == [0.0, 0.0]


def test_much_evidence_halves_the_variance_on_the_page_and_spares_items_outside() -> None:
    """A matched Beta without temper has as many successes as there were clicks."""
    state = counted(10**5)
    clicks = state.clicked.sum(axis=1)
    assert state.leader.tolist() == [0, 1, 2, 3]
    np.testing.assert_allclose(state.shape_a[:3] / clicks[:3], 1 / 0.5, rtol=1e-2)
    np.testing.assert_allclose(state.shape_a[3] / clicks[3], 1 / 0.7, rtol=1e-2)


def test_normal_numbers_are_standard_normal() -> None:
    drawn = [float(normal(address(1, 0, POLICY, n), 3)) for n in range(1, 5001)]
    assert stats.kstest(drawn, "norm").pvalue > 1e-4


def test_samples_have_the_mean_and_the_tempered_variance_of_the_model() -> None:
    state = counted(10**4)
    draws = []
    for n in range(1, 4001):
        sample(state, address(2, 0, POLICY, n))
        draws.append(state.samples.copy())
    found = np.array(draws)
    np.testing.assert_allclose(found.mean(axis=0), state.log_attraction, atol=0.003)
    # What is left once the positions are known is the Beta of an item: 1/A + 1/B - ... about 1/A.
    least = np.sqrt(state.shape_b / (state.shape_a * (state.shape_a + state.shape_b + 1)))
    assert (found.std(axis=0) > 0.95 * least).all()
    assert (found.std(axis=0) < 3 * least).all()
