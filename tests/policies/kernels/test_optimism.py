from math import inf, log, log1p
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from unirank.policies.kernels.indices import kl_ucb
from unirank.policies.kernels.optimism import (
    ROUNDING,
    Best,
    best_with,
    evidence,
    none_better_than,
    peak_of,
    ties,
)
from unirank.policies.plain import indices as twin

Pair = tuple[int, int]  # wins, comparisons: of an item behind, which won fewer than half

pairs = st.one_of(st.integers(1, 8), st.integers(1, 10**6)).flatmap(
    lambda comparisons: st.tuples(st.integers(0, (comparisons - 1) // 2), st.just(comparisons))
)
budgets = st.floats(0.6, 15.0)


def winners(challengers: list[Pair], budget: float) -> tuple[Best, list[int]]:
    """Go through the pairs once, as a policy does, and keep those whose index is largest."""
    best, winning = none_better_than(0.5), list[int]()
    for n, (wins, comparisons) in enumerate(challengers):
        if ties(best, float(wins), comparisons):
            winning.append(n)
        else:
            peak = peak_of(float(wins), comparisons)
            if evidence(best, float(wins), comparisons, peak) < budget - ROUNDING:
                best, winning = best_with(float(wins), comparisons, budget), [n]
    return best, winning


@given(st.lists(pairs, min_size=1, max_size=12), budgets)
def test_the_winners_are_the_pairs_of_largest_index(challengers: list[Pair], budget: float) -> None:
    indices = [kl_ucb(wins / n, n, budget) for wins, n in challengers]
    rivals = {index for index in indices if index != max(indices)}
    assume(all(abs(index - max(indices)) > 1e-9 for index in rivals))
    assume(abs(max(indices) - 0.5) > 1e-9)
    _, winning = winners(challengers, budget)
    largest = [n for n, index in enumerate(indices) if index == max(indices)]
    assert winning == (largest if max(indices) > 0.5 else [])


@given(st.lists(pairs, min_size=1, max_size=4), budgets, st.randoms(use_true_random=False))
def test_equal_pairs_tie_exactly_whatever_their_order(
    challengers: list[Pair], budget: float, random: Random
) -> None:
    repeated = challengers * 3
    random.shuffle(repeated)
    best, winning = winners(repeated, budget)
    champion = (best.wins, best.comparisons)
    assert winning == [n for n, pair in enumerate(repeated) if pair == champion]


def test_one_more_win_in_a_million_is_a_larger_index() -> None:
    fewer, more = (499_900, 10**6), (499_901, 10**6)
    assert winners([fewer, more], 5.0)[1] == [1]
    assert winners([more, fewer], 5.0)[1] == [0]


@given(pairs, pairs, budgets)
def test_evidence_is_the_divergence_from_the_best_index(a: Pair, b: Pair, budget: float) -> None:
    best = best_with(float(a[0]), a[1], budget)
    x = kl_ucb(a[0] / a[1], a[1], budget)
    expected = b[1] * twin.kl(b[0] / b[1], x)
    found = evidence(best, float(b[0]), b[1], peak_of(float(b[0]), b[1]))
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-8)


@given(pairs, budgets)
def test_the_evidence_of_an_index_against_itself_is_the_budget(pair: Pair, budget: float) -> None:
    wins, comparisons = float(pair[0]), pair[1]
    best = best_with(wins, comparisons, budget)
    found = evidence(best, wins, comparisons, peak_of(wins, comparisons))
    assert found == pytest.approx(budget, rel=1e-8)


@given(pairs)
def test_the_peak_is_the_log_likelihood_at_the_mean(pair: Pair) -> None:
    wins, comparisons = pair
    p = wins / comparisons
    expected = wins * log(p) + (comparisons - wins) * log1p(-p) if wins else 0.0
    assert peak_of(float(wins), comparisons) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("wins", [0, 7])
def test_the_peak_of_all_or_nothing_is_zero(wins: int) -> None:
    assert peak_of(float(wins), 7) == 0.0


def test_nobody_ties_with_a_bound_that_nobody_has() -> None:
    assert not any(ties(none_better_than(0.5), float(w), n) for n in range(4) for w in range(n + 1))


def test_a_tie_needs_the_same_wins_and_the_same_comparisons() -> None:
    best = best_with(1.0, 4, 2.0)
    tying = [(w, n) for n in range(1, 9) for w in range(n + 1) if ties(best, float(w), n)]
    assert tying == [(1, 4)]


def test_an_index_that_rounds_to_one_is_beaten_by_no_lesser_pair() -> None:
    best = best_with(0.0, 1, 50.0)
    assert evidence(best, 1.0, 4, peak_of(1.0, 4)) == inf
