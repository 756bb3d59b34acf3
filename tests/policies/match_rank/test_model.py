"""The position model: its mode, its prior and its draws, against numbers worked out by hand."""

import numpy as np
import pytest

from unirank import MatchRank
from unirank.policies.kernels.randomness import POLICY, address
from unirank.policies.match_rank.model import SLOPE, draw_positions, refresh, sample
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


def test_the_prior_of_an_item_is_some_clicks_in_as_many_displays_as_a_mean_item_needs() -> None:
    state = counted(1000)
    state.shown[3] = [50, 0, 0]
    state.clicked[3] = [2, 0, 0]
    for _ in range(60):
        refresh(state)
    looks = (state.shown * np.exp(state.log_examination)).sum()
    mean = (state.clicked.sum() + 0.5) / (looks + 1)
    prior = float(state.now["prior_clicks"][0])
    expected = (2 + prior) / (50 + prior / mean)
    assert np.exp(state.log_attraction[3]) == pytest.approx(expected, rel=1e-6)


def test_the_prior_is_worth_one_click_before_anything_is_known() -> None:
    state: State = MatchRank(7, 3).state
    for _ in range(10):
        refresh(state)
    assert float(state.now["prior_clicks"][0]) == pytest.approx(1.0, rel=0.03)


@pytest.mark.parametrize("attraction", [ATTRACTION, np.full(4, 0.3)])
def test_the_prior_is_worth_more_the_more_alike_items_are(attraction: np.ndarray) -> None:
    """With one item more, of variance 1 - m; a million displays leave no other uncertainty."""
    state = counted(10**6, attraction)
    unit = 1 - state.clicked.sum() / (state.shown * EXAMINATION).sum()
    squares = (np.log(attraction) - np.log(attraction).mean()) ** 2
    expected = (1 + len(attraction)) * unit / (unit + squares.sum())
    assert float(state.now["prior_clicks"][0]) == pytest.approx(expected, rel=1e-2)


def test_an_item_without_a_click_is_drawn_as_a_good_one_as_often_as_bad_luck_has_it() -> None:
    """However much the items differ, A is 1: the chance is exp(-x), x clicks of a good item."""
    state = counted(10**5, np.array([0.2, 1e-5, 1e-5, 1e-5]))
    state.shown[1], state.clicked[1] = [20, 0, 0], 0
    for _ in range(60):
        refresh(state)
    assert float(state.now["prior_clicks"][0]) == 1.0
    samples, _ = drawn(state, 20_000)
    looks = (state.shown * np.exp(state.log_examination)).sum()
    expected = np.exp(-0.2 * (20 + (looks + 1) / (state.clicked.sum() + 0.5)))
    assert np.mean(np.exp(samples[:, 1]) > 0.2) == pytest.approx(expected, rel=0.35)


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


def test_where_examination_cannot_rise_later_positions_keep_their_distance() -> None:
    """Item 0 is always first, so nothing tells its attraction from the first examination.

    The others say that examination falls by 0.05 from each of their positions to the next. To cut
    all positions at 1 would hide that, and favour the items that stood at the lower ones.
    """
    state: State = MatchRank(3, 3).state
    state.shown[...] = [[2 * 10**7, 0, 0], [0, 10**7, 10**7], [0, 10**7, 10**7]]
    rate = np.array([[0.3, 0.0, 0.0], [0.0, 0.63, 0.60], [0.0, 0.525, 0.50]])
    state.clicked[...] = np.rint(state.shown * rate)
    state.now["rounds"] = 2 * 10**7
    for _ in range(60):
        refresh(state)
    fall = state.log_examination[2] - state.log_examination[1]
    assert fall == pytest.approx(np.log(0.60 / 0.63), abs=1e-3)
    for n in range(1, 200):
        draw_positions(state, address(4, 0, POLICY, n))
        assert state.log_examination[1] + state.step[1] <= 0.0
        assert fall + state.step[2] - state.step[1] == pytest.approx(fall, abs=5e-3)


def test_items_are_drawn_with_the_variance_of_the_posterior() -> None:
    """The information of n displays with click rate p is n p / (1 - p)."""
    state = counted(10**5)
    rate = ATTRACTION[:, None] * EXAMINATION
    information = (10**5 * rate / (1 - rate)).sum(axis=1)
    np.testing.assert_allclose(state.deviation**2 * information, 1.0, rtol=1e-2)


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


def test_positions_are_drawn_with_the_covariance_of_the_posterior() -> None:
    """The inverse of their information, items eliminated. Margin: 6 % of a standard deviation."""
    state = counted(10**4)
    rate = np.exp(state.log_attraction[:, None] + state.log_examination)
    w = state.shown * rate / (1 - rate)
    information = np.diag(w.sum(axis=0)) - (state.share.T @ w)
    slope = np.array([[2.0, -1.0], [-1.0, 1.0]]) * 4.0  # of the prior on the falls
    expected = np.linalg.inv(information[1:, 1:] + slope)
    steps = []
    for n in range(1, 4001):
        draw_positions(state, address(2, 0, POLICY, n))
        steps.append(state.step[1:].copy())
    np.testing.assert_allclose(np.cov(np.transpose(steps)), expected, rtol=0.12)


def test_given_the_positions_half_of_the_draws_of_an_item_are_above_its_mean() -> None:
    """Of those, the mean distance is sqrt(2 / pi) standard deviations. Margins: 4 standard errors.

    The others are the mean itself.
    """
    state = counted(10**4)
    state.root[...] = 1e9 * np.eye(len(EXAMINATION))  # positions are certain
    state.pull[:] = 0.0
    samples, _ = drawn(state)
    above = (samples[:, :3] - state.log_attraction[:3]) / state.deviation[:3]
    assert above.min() >= -1e-6
    half = above > 1e-6
    np.testing.assert_allclose(half.mean(axis=0), 0.5, atol=0.035)
    np.testing.assert_allclose(above[half].mean(), np.sqrt(2 / np.pi), atol=0.035)


def test_equal_items_come_in_random_order() -> None:
    state: State = MatchRank(4, 3).state
    refresh(state)
    state.deviation[:] = 0.0
    _, lists = drawn(state, 2400)
    counts = np.unique(np.array(lists), axis=0, return_counts=True)[1]
    assert len(counts) == 24
    assert abs(counts - 100).max() < 50  # 5 standard deviations


def test_few_clicks_give_the_upper_tail_of_a_gamma() -> None:
    """Gamma(1) is above x with probability exp(-x); the formula is right to 0.01 there."""
    state: State = MatchRank(1, 1).state
    values = []
    for n in range(1, 20_001):
        sample(state, address(3, 0, POLICY, n), np.empty(1, np.int64))
        values.append(np.exp(state.samples[0] - state.log_attraction[0]))
    for x in (1.0 + 1e-6, 2.0, 4.0):
        assert np.mean(np.array(values) > x) == pytest.approx(np.exp(-x), abs=0.012)


def test_lists_have_the_largest_samples_in_order() -> None:
    samples, lists = drawn(counted(20), 2000)
    for values, ranking in zip(samples, lists, strict=True):
        assert ranking == np.argsort(-values, kind="stable")[:3].tolist()
    assert len({tuple(ranking) for ranking in lists}) > 5
