"""Samples of an attraction: the mode, the envelope, and the distribution against integration."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import integrate, stats

from unirank.policies.base.round_rng import Draws
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import POLICY, address, at_round, stream_key
from unirank.policies.known_examination.posterior import (
    ENVELOPE,
    MOST_ATTEMPTS,
    Counts,
    build,
    log_density,
    mode_of,
    sample,
    slope_at,
)
from unirank.policies.plain import posterior as plain

N_NUMBERS = 40_000
LOOKS = [1.0, 0.9, 0.83, 0.78, 0.75]
CASES: dict[str, tuple[int, list[int], list[float]]] = {
    "nothing known": (0, [0, 0], [1.0, 0.5]),
    "always clicked": (7, [0, 0], [1.0, 0.5]),
    "clicked once": (1, [0, 0], [0.9, 0.5]),
    "never clicked": (0, [3, 20], [1.0, 0.5]),
    "never clicked, once shown": (0, [0, 1], [1.0, 0.1]),
    "rare clicks": (3, [700, 900, 500, 600, 400], LOOKS),
    "one rare click": (1, [700, 900, 500, 600, 400], LOOKS),
    "many rare clicks": (1000, [300_000, 300_000, 200_000, 100_000, 100_000], LOOKS),
    "one refusal": (40, [1, 0], [1.0, 0.5]),
    "one refusal lower down": (40, [0, 1], [1.0, 0.97]),
    "more clicks than looks": (9, [0, 11], [1.0, 0.4]),
    "just below 1": (9, [0, 14], [1.0, 0.4]),
    "below 1 by both positions": (60, [1, 500], [0.9, 0.1]),
    "far from 1 at the first": (60, [30, 2000], [1.0, 0.02]),
    "all positions alike": (30, [40, 20, 10], [1.0, 1.0, 1.0]),
    "hardly looked at": (2, [50, 10**6], [0.5, 1e-6]),
    "very many": (10**9, [10**9, 10**8], [1.0, 0.3]),
}


def counts_of(clicks: int, refused: list[int], looks: list[float]) -> Counts:
    return Counts(clicks, np.array(refused), np.array(looks))


def envelope_of(counts: Counts) -> Any:
    envelopes = np.zeros(1, ENVELOPE)
    build_one(counts, envelopes)
    return envelopes[0]


@compiled
def build_one(counts: Counts, envelopes: Any) -> None:
    build(counts, envelopes[0])


@compiled
def sample_often(
    key: np.uint64, counts: Counts, envelopes: Any, numbers: NDArray[np.float64]
) -> None:
    for n in range(numbers.size):
        numbers[n] = sample(at_round(key, n), 7, counts, envelopes[0])


def drawn(counts: Counts, n_numbers: int = N_NUMBERS) -> NDArray[np.float64]:
    envelopes, numbers = np.zeros(1, ENVELOPE), np.empty(n_numbers)
    build_one(counts, envelopes)
    sample_often(np.uint64(stream_key(3, 0, POLICY)), counts, envelopes, numbers)
    return numbers


def density_on_a_grid(counts: Counts) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points around the mode and e^f there, from the plain formula."""
    mode = mode_of(counts)
    envelope = envelope_of(counts)
    # Tangents fall by 45, and so f by more, before these ends.
    low = high = mode
    if mode > 0:
        low = max(envelope["left_end"] - 45 / envelope["left_slope"], 0.0)
    if mode < 1:
        slope = envelope["right_slope"]
        high = min(envelope["right_end"] + 45 / slope, 1.0) if slope > 0 else 1.0
    x = np.unique(np.concatenate([np.linspace(low, high, 40_001), [mode]]))
    with np.errstate(divide="ignore"):
        value = counts.clicks * (np.log(x) - np.log(mode)) if counts.clicks else 0 * x
        for refused, looks in zip(counts.refused, counts.examination, strict=True):
            if refused:
                value += refused * (np.log1p(-looks * x) - np.log1p(-looks * mode))
    return x, np.exp(value)


def acceptance(counts: Counts) -> float:
    """Area below the density over the area below the envelope."""
    envelope = envelope_of(counts)
    area = np.exp(envelope["cap"]) * (envelope["right_end"] - envelope["left_end"])
    for side in ("left", "right"):
        if envelope[f"{side}_share"] > 0:
            mass = envelope[f"{side}_mass"] / envelope[f"{side}_slope"]
            area += np.exp(envelope[f"{side}_height"]) * mass
    return float(integrate.trapezoid(*reversed(density_on_a_grid(counts))) / area)


@pytest.mark.parametrize("name", CASES)
def test_samples_have_the_density(name: str) -> None:
    # The 1 - 1e-6 quantile of the Kolmogorov distance is 2.7 / sqrt(n); the grid adds 1e-4 at most.
    counts = counts_of(*CASES[name])
    x, density = density_on_a_grid(counts)
    cumulated = integrate.cumulative_trapezoid(density, x, initial=0)
    numbers = np.sort(drawn(counts))
    expected = np.interp(numbers, x, cumulated / cumulated[-1])
    ranks = np.arange(numbers.size) / numbers.size
    distance = max(np.max(expected - ranks), np.max(ranks + 1 / numbers.size - expected))
    assert distance < 2.7 / np.sqrt(N_NUMBERS) + 1e-4


@pytest.mark.parametrize(
    ("clicked", "refused"), [(0, 0), (0, 9), (9, 0), (1, 1), (40, 7), (3, 5000)]
)
def test_where_all_is_looked_at_samples_are_beta(clicked: int, refused: int) -> None:
    counts = counts_of(clicked, [refused // 2, refused - refused // 2], [1.0, 1.0])
    chance = stats.kstest(drawn(counts), stats.beta(clicked + 1, refused + 1).cdf).pvalue
    assert 1e-4 < chance < 1 - 1e-4


@pytest.mark.parametrize("name", CASES)
def test_samples_are_those_of_the_plain_edition(name: str) -> None:
    clicks, refused, looks = CASES[name]
    refusals = [(m, kappa) for m, kappa in zip(refused, looks, strict=True) if m]
    rounds = [Draws(address(3, 0, POLICY, n)) for n in range(300)]
    expected = [plain.sample(clicks, refusals, draws, 7) for draws in rounds]
    np.testing.assert_allclose(drawn(counts_of(clicks, refused, looks), 300), expected, rtol=1e-9)


sizes = st.one_of(st.integers(0, 3), st.integers(0, 100), st.integers(0, 10**6))
examinations = st.lists(st.floats(1e-3, 1.0), min_size=3, max_size=3).map(
    lambda looks: sorted(looks, reverse=True)
)


@settings(max_examples=100, deadline=None)
@given(sizes, st.lists(sizes, min_size=3, max_size=3), examinations, st.booleans())
def test_the_envelope_is_near_and_never_below(
    clicks: int, refused: list[int], looks: list[float], first_is_sure: bool
) -> None:
    if first_is_sure:
        looks = [1.0, *looks[1:]]
    counts = counts_of(clicks, refused, looks)
    envelope = envelope_of(counts)
    assert 0 <= envelope["left_end"] <= envelope["mode"] <= envelope["right_end"] <= 1
    x, density = density_on_a_grid(counts)
    above = np.full(x.size, envelope["cap"])
    left, right = x < envelope["left_end"], x > envelope["right_end"]
    above[left] = (
        envelope["left_height"] - (envelope["left_end"] - x[left]) * envelope["left_slope"]
    )
    above[right] = (
        envelope["right_height"] - (x[right] - envelope["right_end"]) * envelope["right_slope"]
    )
    assert (density <= np.exp(above) * (1 + 1e-7)).all()
    assert acceptance(counts) > 0.8


@pytest.mark.parametrize("clicks", [0, 1, 2, 5, 30, 10**4, 10**7])
@pytest.mark.parametrize("looks", [[1.0, 0.5], [1.0, 1e-3], [0.6, 0.55]])
def test_more_than_eight_in_ten_attempts_are_kept(clicks: int, looks: list[float]) -> None:
    few_and_many = [0, 1, 2, 5, 30, 10**4, 10**7]
    for first, second in product(few_and_many, few_and_many):
        assert acceptance(counts_of(clicks, [first, second], looks)) > 0.8


def test_the_last_attempt_is_out_of_reach() -> None:
    assert 0.5**MOST_ATTEMPTS < 1e-30


@pytest.mark.parametrize("name", CASES)
def test_the_mode_is_where_the_density_is_flat_or_ends(name: str) -> None:
    counts = counts_of(*CASES[name])
    mode = mode_of(counts)
    if mode == 1.0:
        assert slope_at(counts, 1.0) >= 0
    elif mode > 0.0:
        away = 0.01 * mode
        assert log_density(counts, mode, mode - away) < 0
        assert log_density(counts, mode, min(mode + away, (1 + mode) / 2)) < 0
    else:
        assert counts.clicks == 0


@pytest.mark.parametrize(("clicks", "refused"), [(3, 9), (1, 1), (10**6, 1), (1, 10**9)])
def test_the_mode_of_one_position_is_its_rate_of_clicks_over_its_looks(
    clicks: int, refused: int
) -> None:
    expected = clicks / (clicks + refused)
    assert mode_of(counts_of(clicks, [refused], [1.0])) == pytest.approx(expected, rel=1e-12)
    expected = min(expected / 0.7, 1.0)
    assert mode_of(counts_of(clicks, [refused], [0.7])) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("clicks", [0, 1, 2**40 - 2])
@pytest.mark.parametrize("refused", [[0, 0], [1, 0], [2**39, 2**39], [0, 2**40]])
@pytest.mark.parametrize("looks", [[1.0, 1.0], [1.0, 5e-324], [1.0, 1e-200], [1 - 1e-16, 0.5]])
def test_samples_of_extreme_counts_are_numbers(
    clicks: int, refused: list[int], looks: list[float]
) -> None:
    numbers = drawn(counts_of(clicks, refused, looks), 2000)
    assert ((numbers >= 0) & (numbers <= 1)).all()
    assert len(set(numbers.tolist())) > 1
