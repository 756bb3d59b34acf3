"""A neighbour's challenge, answered from its summary, is that of brute force over all its pairs."""

from itertools import takewhile
from math import sqrt
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from unirank.policies.kernels.optimism import ROUNDING, Best, best_with, none_better_than
from unirank.policies.plain.indices import kl, kl_ucb
from unirank.policies.uni_rank.neighbours import challenge, summarise
from unirank.policies.uni_rank.policy import UniRank
from unirank.policies.uni_rank.state import EVERY_NEIGHBOUR, FRONT, SUMMARY, forget_decisions

Pair = tuple[int, int]  # wins of the item behind, comparisons
CLEAR = 1e-9  # indices closer than this, of different pairs, are too close to call

any_pair = st.one_of(st.integers(1, 8), st.integers(1, 10**5)).flatmap(
    lambda n: st.tuples(st.integers(0, (n - 1) // 2), st.just(n))
)
budgets = st.floats(0.5, 14.0)


@st.composite
def rivals(draw: st.DrawFn) -> Pair:
    """A pair about as far from a draw as any other rival: few lead clearly, few are beaten."""
    comparisons = draw(st.integers(3, 10**5))
    evidence = draw(st.floats(0.8, 2.0))
    wins = int(comparisons * (0.5 - sqrt(evidence / (2 * comparisons))))
    return max(wins, 0), comparisons


lists_of_pairs = st.one_of(
    st.lists(any_pair, min_size=1, max_size=12),
    st.lists(rivals(), min_size=1, max_size=20),
    st.lists(st.sampled_from([(0, 3), (1, 5), (2, 7)]), min_size=1, max_size=12),
)
STAIRCASE = [(round(n * (0.5 - 0.6 / sqrt(n))), n) for n in (16 * 2**k for k in range(2 * FRONT))]


class Neighbour(NamedTuple):
    wins: Any
    ahead: Any
    behind: Any
    front: Any

    def challenge(self, budget: float, best: Best) -> tuple[Best, bool, float]:
        return challenge(*self, 0.0, budget, best)


def neighbour(pairs: list[Pair], n_ahead: int = 1) -> Neighbour:
    """Items 0..n_ahead-1 against the others, their pairs dealt out; the last pair fills up."""
    n_behind = -(-len(pairs) // n_ahead)
    wins = np.zeros((n_ahead + n_behind,) * 2, np.int64)
    for n in range(n_ahead * n_behind):
        won, comparisons = pairs[min(n, len(pairs) - 1)]
        i, j = n % n_ahead, n_ahead + n // n_ahead
        wins[j, i], wins[i, j] = won, comparisons - won
    items = np.arange(n_ahead + n_behind)
    return Neighbour(wins, items[:n_ahead], items[n_ahead:], np.zeros(FRONT, SUMMARY))


def index(pair: Pair, budget: float) -> float:
    return kl_ucb(pair[0] / pair[1], pair[1], budget)


def champion(pairs: list[Pair], budget: float) -> Pair:
    """The pair of largest index, where that is clear."""
    first = max(pairs, key=lambda pair: index(pair, budget))
    others = [index(pair, budget) for pair in pairs if pair != first]
    assume(all(abs(index(first, budget) - other) > CLEAR for other in others))
    assume(abs(index(first, budget) - 0.5) > CLEAR)
    return first


def pair_of(best: Best) -> Pair:
    return int(best.wins), int(best.comparisons)


@given(lists_of_pairs, st.integers(1, 3), budgets)
def test_the_champion_is_that_of_brute_force(pairs: list[Pair], n: int, budget: float) -> None:
    first = champion(pairs, budget)
    best, won, _ = neighbour(pairs, n).challenge(budget, none_better_than(0.5))
    assert won == (index(first, budget) > 0.5)
    assert not won or pair_of(best) == first


@given(lists_of_pairs, any_pair | rivals(), budgets)
def test_a_better_pair_from_elsewhere_is_beaten_or_stays(
    pairs: list[Pair], rival: Pair, budget: float
) -> None:
    assume(index(rival, budget) > 0.5 + CLEAR)  # a best so far is always above index 0
    first = champion([*pairs, rival], budget)
    best, won, _ = neighbour(pairs).challenge(budget, best_with(float(rival[0]), rival[1], budget))
    assert pair_of(best) == first
    assert won == (first in pairs)


@given(lists_of_pairs, budgets, st.randoms(use_true_random=False))
def test_the_order_of_pairs_does_not_matter(
    pairs: list[Pair], budget: float, random: Random
) -> None:
    champion(pairs, budget)
    shuffled = random.sample(pairs, len(pairs))
    one, two = (neighbour(p).challenge(budget, none_better_than(0.5)) for p in (pairs, shuffled))
    assert one[:2] == two[:2]


@given(lists_of_pairs, st.lists(budgets, min_size=2, max_size=8))
def test_a_summary_stays_valid_while_the_budget_grows(
    pairs: list[Pair], growing: list[float]
) -> None:
    kept = neighbour(pairs, 2)
    for budget in sorted(growing):
        first = champion(pairs, budget)
        best, won, _ = kept.challenge(budget, none_better_than(0.5))
        assert won == (index(first, budget) > 0.5)
        assert not won or pair_of(best) == first


@given(lists_of_pairs, budgets)
def test_equal_neighbours_tie(pairs: list[Pair], budget: float) -> None:
    assume(index(champion(pairs, budget), budget) > 0.5)
    best, _, _ = neighbour(pairs).challenge(budget, none_better_than(0.5))
    again, won, _ = neighbour(pairs[::-1], 2).challenge(budget, best)
    assert (again, won) == (best, True)


@given(lists_of_pairs, budgets)
def test_no_pair_is_optimistic_before_the_least_evidence(pairs: list[Pair], budget: float) -> None:
    _, won, least = neighbour(pairs).challenge(budget, none_better_than(0.5))
    evidence = min(n * kl(wins / n, 0.5) for wins, n in pairs)
    assert won or budget - 2 * ROUNDING <= least <= evidence + CLEAR


@given(st.lists(any_pair, min_size=1, max_size=FRONT))
def test_the_least_evidence_of_few_pairs_is_exact(pairs: list[Pair]) -> None:
    _, _, least = neighbour(pairs).challenge(0.0, none_better_than(0.5))
    evidence = min(n * kl(wins / n, 0.5) for wins, n in pairs)
    assert least == pytest.approx(evidence, rel=1e-9, abs=1e-9)


# Summaries.


def summary(pairs: list[Pair]) -> list[Any]:
    """The entries of the summary: wins, comparisons, peak, exact."""
    wins, ahead, behind, front = neighbour(pairs)
    summarise(wins, ahead, behind, front)
    return list(takewhile(lambda entry: entry[1] > 0, front.tolist()))


def beats(one: Pair, other: Pair) -> bool:
    """Whether one has a share of wins at least as large, on no more comparisons."""
    return one[0] * other[1] >= other[0] * one[1] and one[1] <= other[1]


@given(lists_of_pairs)
def test_every_pair_is_beaten_or_equalled_by_an_entry(pairs: list[Pair]) -> None:
    entries = summary(pairs)
    for wins, n in pairs:
        assert any(w / m >= wins / n - ROUNDING and m <= n for w, m, _, _ in entries)


@given(st.lists(any_pair, min_size=1, max_size=12))
def test_a_summary_that_has_room_is_the_front(pairs: list[Pair]) -> None:
    shares = {(wins / n, n): (wins, n) for wins, n in pairs}
    front = {p for p in shares.values() if not any(beats(q, p) and q != p for q in shares.values())}
    assume(len(front) < FRONT)
    assert {(wins, n) for wins, n, _, _ in summary(pairs)} == front


def test_a_front_that_fits_is_kept_exactly() -> None:
    entries = summary(STAIRCASE[:FRONT])
    assert [(wins, n, exact) for wins, n, _, exact in entries] == [
        (wins, n, True) for wins, n in STAIRCASE[:FRONT]
    ]


@pytest.mark.parametrize("pairs", [STAIRCASE, STAIRCASE[::-1], STAIRCASE[6:] + STAIRCASE[:6]])
def test_a_longer_front_ends_in_a_bound(pairs: list[Pair]) -> None:
    assert all(not beats(one, other) for one in pairs for other in pairs if one != other)
    assert [exact for _, _, _, exact in summary(pairs)] == [True] * (FRONT - 1) + [False]


@pytest.mark.parametrize("n_ahead", [1, 3, 12])
def test_a_pair_behind_a_bound_is_found(n_ahead: int) -> None:
    for budget in np.geomspace(0.5, 20, 100).tolist():
        first = max(STAIRCASE, key=lambda pair: index(pair, budget))
        behind = neighbour(STAIRCASE[::-1], n_ahead)
        best, won, _ = behind.challenge(budget, none_better_than(0.5))
        assert won == (index(first, budget) > 0.5)
        assert not won or pair_of(best) == first


def test_new_clicks_are_seen_once_the_summary_is_dropped() -> None:
    behind = neighbour([(0, 5), (1, 9)])
    behind.challenge(2.0, none_better_than(0.5))
    behind.wins[1, 0], behind.wins[0, 1] = 2, 5
    behind.front[0]["comparisons"] = 0
    best, won, _ = behind.challenge(2.0, none_better_than(0.5))
    assert (pair_of(best), won) == ((2, 7), True)


@pytest.mark.parametrize("early", ["leader", "explore"])
def test_neighbours_known_to_be_the_best_are_those_that_a_search_finds(early: str) -> None:
    skipping, searching = (UniRank(12, 4, seed=1, early=early) for _ in range(2))
    draw = Random(1)
    for number in range(4000):
        forget_decisions(searching.state, EVERY_NEIGHBOUR)
        shown, found = skipping.rank(), searching.rank()
        assert shown == found
        if number < 300:
            clicks = [item for item in shown.items if draw.random() < 0.5 / (1 + int(item))]
            for policy in (skipping, searching):
                policy.update(shown.round, clicks)
