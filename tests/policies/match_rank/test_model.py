"""The position model: its mode, its prior and its temper, against numbers worked out by hand."""

import numpy as np
import pytest

from unirank import MatchRank
from unirank.kernels.randomness import POLICY, address
from unirank.policies.match_rank.model import SLOPE, refresh, sample
from unirank.policies.match_rank.state import State

ATTRACTION = np.array([0.6, 0.4, 0.3, 0.2])
EXAMINATION = np.array([1.0, 0.7, 0.4])


def counted(n_displays: int, attraction: np.ndarray = ATTRACTION) -> State:
    """A converged model of items that were shown equally often at each position."""
    state: State = MatchRank(len(attraction), len(EXAMINATION)).state
    state.shown[...] = n_displays
    state.clicked[...] = np.rint(n_displays * attraction[:, None] * EXAMINATION)
    state.now["rounds"] = n_displays
    for _ in range(30):
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


def test_at_the_mode_clicks_pull_at_a_slope_as_much_as_its_prior() -> None:
    """The score of position 1 is that of a normal prior with mean -0.2 and variance 1/4."""
    state: State = MatchRank(2, 2).state
    state.shown[...] = 30
    state.clicked[...] = [[12, 4], [6, 3]]
    for _ in range(30):
        refresh(state)
    rate = np.exp(state.log_attraction + state.log_examination[1])
    score = ((state.clicked[:, 1] - 30 * rate) / (1 - rate)).sum()
    assert abs(score) > 0.5
    assert score == pytest.approx(4.0 * (state.log_examination[1] + 0.2), rel=1e-6)


def test_examination_never_rises() -> None:
    state: State = MatchRank(2, 2).state
    state.shown[...] = 1000
    state.clicked[...] = [[100, 300], [50, 150]]
    for _ in range(20):
        refresh(state)
    assert state.log_examination.tolist() == [0.0, 0.0]


def test_where_examination_cannot_rise_items_fit_what_it_is_held_at() -> None:
    """Two positions share one examination: the mode has the click rate of both together."""
    state: State = MatchRank(3, 3).state
    state.shown[...] = 10**6
    state.clicked[...] = (np.array([0.5, 0.4, 0.3])[:, None] * [1.0, 0.5, 0.6] * 10**6).astype(int)
    for _ in range(40):
        refresh(state)
    examination = np.exp(state.log_examination)
    assert examination[1] == examination[2]
    fitted = np.exp(state.log_attraction)[:, None] * examination
    score = (state.clicked - state.shown * fitted) / (1 - fitted)
    assert np.abs(score.sum(axis=1)).max() < 1e-3 * state.information.sum(axis=1).min()


def test_items_are_sorted_by_attraction() -> None:
    state = counted(1000, ATTRACTION[[2, 0, 3, 1]])
    assert state.order.tolist() == [1, 3, 0, 2]


def test_items_are_drawn_with_seven_tenths_of_their_variance() -> None:
    """The information of n displays with click rate p is n p / (1 - p)."""
    state = counted(10**5)
    rate = ATTRACTION[:, None] * EXAMINATION
    information = (10**5 * rate / (1 - rate)).sum(axis=1)
    np.testing.assert_allclose(state.deviation**2 * information, 0.7, rtol=1e-2)


def drawn(state: State, n_lists: int = 4000) -> tuple[np.ndarray, list[list[int]]]:
    """Samples of all items, and the lists that they make."""
    samples, lists = [], []
    for n in range(1, n_lists + 1):
        ranking = np.empty(len(EXAMINATION), np.int64)
        state.samples[:] = -np.inf  # of an item that surely stays out
        sample(state, address(2, 0, POLICY, n), ranking)
        samples.append(state.samples.copy())
        lists.append(ranking.tolist())
    return np.array(samples), lists


def test_samples_have_the_mean_and_the_variance_of_the_posterior() -> None:
    """Margin: 5 standard errors of the mean; the variance has that of the positions in it, too."""
    state = counted(10**4)
    samples, _ = drawn(state)
    found = samples[:, :3]
    error = found.std(axis=0) / np.sqrt(len(found))
    assert (np.abs(found.mean(axis=0) - state.log_attraction[:3]) < 5 * error).all()
    positions = state.share[:3, 1:] @ state.factor[1:, 1:]
    expected = np.sqrt(state.deviation[:3] ** 2 + (positions**2).sum(axis=1))
    np.testing.assert_allclose(found.std(axis=0), expected, rtol=0.06)


def test_few_clicks_give_the_skewness_of_a_gamma() -> None:
    """Gamma(1) has mean 1, and the median ln 2; the formula is right to 0.02 there."""
    state: State = MatchRank(1, 1).state
    values = []
    for n in range(1, 20_001):
        sample(state, address(3, 0, POLICY, n), np.empty(1, np.int64))
        values.append(np.exp(state.samples[0] - state.log_attraction[0]))
    assert np.mean(values) == pytest.approx(1.0, abs=0.03)
    assert np.median(values) == pytest.approx(np.log(2), abs=0.03)


def test_lists_have_the_largest_samples_in_order() -> None:
    samples, lists = drawn(counted(20), 2000)
    for values, ranking in zip(samples, lists, strict=True):
        assert ranking == np.argsort(-values, kind="stable")[:3].tolist()
    assert len({tuple(ranking) for ranking in lists}) > 5
