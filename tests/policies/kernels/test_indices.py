from decimal import Decimal, localcontext
from itertools import count as count_from
from math import exp, inf, log, nextafter

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from unirank.policies.kernels.indices import NEVER, budget, first_count, kl, kl_ucb
from unirank.policies.plain import indices as twin

WEIGHTS = [0.0, 3.0]
probabilities = st.floats(0, 1)
counts = st.one_of(st.integers(1, 1000), st.integers(1, 2**40))


def exact_index(mean: float, count: int, budget: float) -> Decimal:
    """kl_ucb by bisection with 60 digits."""
    with localcontext(prec=60):
        p, level = Decimal(mean), Decimal(budget) / count
        low, high = p, Decimal(1)
        for _ in range(150):
            q = (low + high) / 2
            divergence = p * (p / q).ln() + (1 - p) * ((1 - p) / (1 - q)).ln()
            low, high = (q, high) if divergence <= level else (low, q)
        return low


@given(probabilities, probabilities)
def test_the_divergence_is_that_of_the_twin(p: float, q: float) -> None:
    assert kl(p, q) == pytest.approx(max(twin.kl(p, q), 0.0), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(
    ("p", "q", "divergence"),
    [
        (0, 0, 0),
        (1, 1, 0),
        (0.5, 0, inf),
        (0.5, 1, inf),
        (0, 1, inf),
        (1, 0, inf),
        (0, 0.5, log(2)),
    ],
)
def test_the_divergence_at_the_ends_follows_its_conventions(
    p: float, q: float, divergence: float
) -> None:
    assert kl(float(p), float(q)) == pytest.approx(divergence, rel=1e-15)


@given(probabilities, st.integers(-5, 5))
def test_the_divergence_of_near_equals_is_not_negative(p: float, n_steps: int) -> None:
    q = min(max(p * (1 + n_steps * 2**-50), 0.0), 1.0)
    assert kl(p, q) >= 0.0


@pytest.mark.parametrize(
    ("t", "value"), [(0, 0.0), (1, 0.0), (2, 0.0), (3, 1.380756), (100, 9.186710)]
)
def test_the_budget_is_zero_where_undefined_or_negative(t: int, value: float) -> None:
    assert budget(t, 3.0) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("weight", WEIGHTS)
def test_the_budget_is_that_of_the_twin(weight: float) -> None:
    for t in [*range(200), 10**6, 2**41]:
        assert budget(t, weight) == pytest.approx(twin.budget(t, weight), rel=1e-14)


@pytest.mark.parametrize(
    ("mean", "count", "t", "index"),
    [
        (0.5, 100, 100, 0.7048432466),
        (0.0, 10, 10, 0.3815062813),
        (0.25, 40, 1000, 0.6412772087),
        (0.4, 500, 10**6, 0.5469274253),
        (0.45, 20, 3, 0.6331040975),
    ],
)
def test_the_index_has_the_values_of_the_specification(
    mean: float, count: int, t: int, index: float
) -> None:
    assert kl_ucb(mean, count, budget(t, 3.0)) == pytest.approx(index, abs=1e-10)


@given(probabilities, st.floats(-10, 10))
def test_the_index_of_what_was_never_seen_is_one(mean: float, budget: float) -> None:
    assert kl_ucb(mean, 0, budget) == 1.0


@given(st.floats(0, 1, exclude_max=True), counts, st.floats(max_value=0.0))
@example(0.3, 5, -inf)
@example(0.0, 5, 0.0)
def test_without_a_budget_the_index_is_the_mean(mean: float, count: int, budget: float) -> None:
    assert kl_ucb(mean, count, budget) == mean


@given(counts, st.floats(-1, 40))
def test_the_index_of_certain_success_is_one(count: int, budget: float) -> None:
    assert kl_ucb(1.0, count, budget) == 1.0


@given(counts, st.floats(1e-9, 40))
def test_the_index_of_no_success_has_a_closed_form(count: int, budget: float) -> None:
    expected = 1 - exp(-budget / count)
    assert kl_ucb(0.0, count, budget) == pytest.approx(expected, abs=1e-15)


@given(st.integers(1, 2**40), st.floats(0, 1), st.floats(1e-3, 100))
@example(2**40, 1 - 2**-40, 0.7)
@example(2**40, 2**-40, 0.7)
@example(1, 0.5, 100.0)
def test_the_index_of_a_share_of_wins_lies_between_it_and_one(
    count: int, share: float, budget: float
) -> None:
    mean = round(share * count) / count
    assert mean <= kl_ucb(mean, count, budget) <= 1.0


@given(probabilities, st.integers(0, 2**53), st.floats(0.0, 1e6))
@example(5e-324, 1, 0.01)
@example(1e-300, 1, 1e-40)
@example(1 - 1e-15, 1, 1e-20)
@example(1 - 1e-9, 1, 1e300)
def test_the_index_of_any_numbers_lies_between_the_mean_and_one(
    mean: float, count: int, budget: float
) -> None:
    assert mean <= kl_ucb(mean, count, budget) <= 1.0


@given(probabilities, st.integers(1, 10**7), st.floats(1e-3, 40))
def test_the_index_is_that_of_the_twin(mean: float, count: int, budget: float) -> None:
    assume(budget / count >= 1e-6)  # below, the twin's own rounding shows
    assert kl_ucb(mean, count, budget) == pytest.approx(twin.kl_ucb(mean, count, budget), abs=1e-12)


@pytest.mark.parametrize("budget", [0.7, 5.0, 38.0])
@pytest.mark.parametrize("count", [1, 10, 10**3, 10**6, 10**9, 2**40, 10**15])
@pytest.mark.parametrize("mean", [1e-9, 1e-3, 0.1, 0.3, 0.5, 0.7, 0.999, 1 - 1e-9])
def test_the_index_is_right_to_twelve_digits(mean: float, count: int, budget: float) -> None:
    error = Decimal(kl_ucb(mean, count, budget)) - exact_index(mean, count, budget)
    assert abs(error) < 1e-12


@pytest.mark.parametrize("budget", [1.0, 10.0])
@pytest.mark.parametrize("mean", [0.1, 0.5, 0.9])
def test_the_rise_of_the_index_over_the_mean_is_right_however_small(
    mean: float, budget: float
) -> None:
    exact = exact_index(mean, 10**12, budget)
    rise = kl_ucb(mean, 10**12, budget) - mean
    assert rise == pytest.approx(float(exact - Decimal(mean)), abs=1e-15)


@given(st.integers(1, 2**40), st.floats(0, 1), st.floats(1e-3, 20), st.floats(0, 20))
def test_the_index_grows_with_the_budget(count: int, share: float, b: float, more: float) -> None:
    mean = round(share * count) / count
    assert kl_ucb(mean, count, b) <= kl_ucb(mean, count, b + more) + 1e-12


@pytest.mark.parametrize("weight", WEIGHTS)
@given(evidence=st.floats(0, 12))
@example(evidence=0.0)
def test_the_first_count_is_the_first_whose_budget_exceeds_the_evidence(
    weight: float, evidence: float
) -> None:
    assume(evidence < budget(3000, weight))
    searched = next(t for t in count_from(1) if budget(t, weight) > evidence)
    assert first_count(evidence, weight) == searched


@pytest.mark.parametrize("weight", WEIGHTS)
@given(t=st.integers(4, 2**41))
def test_the_first_count_is_exact_where_evidence_equals_a_budget(weight: float, t: int) -> None:
    at_previous = budget(t - 1, weight)
    assume(at_previous < budget(t, weight))  # so close to 2**41 some neighbours round alike
    assert first_count(at_previous, weight) == t
    assert first_count(nextafter(at_previous, 0.0), weight) <= t - 1


@pytest.mark.parametrize("weight", WEIGHTS)
def test_evidence_beyond_every_game_is_never_reached(weight: float) -> None:
    largest = budget(2**41, weight)
    assert first_count(largest, weight) == NEVER
    assert first_count(largest - 1e-9, weight) <= 2**41
    assert first_count(inf, weight) == NEVER
