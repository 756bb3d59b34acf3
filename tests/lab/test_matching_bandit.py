"""A matching problem, and SAM beside its literal twin and on the cases of its specification."""

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.reference.matching import SimpleAdaptiveMatchingTwin
from tests.reference.randomness import USERS, Rng
from unirank import ArgumentError
from unirank.lab import MatchingProblem, SimpleAdaptiveMatching

QUALITY = [0.3, 0.9, 0.5, 0.7, 0.2, 0.6]


def test_no_matching_is_worth_more_than_the_best_one() -> None:
    problem = MatchingProblem(QUALITY)
    values = [
        sum(QUALITY[i] * QUALITY[j] for i, j in zip(order[::2], order[1::2], strict=True))
        for order in permutations(range(6))
    ]
    assert problem.best_value == pytest.approx(max(values))
    assert problem.best_matching == ((1, 3), (5, 2), (0, 4))
    assert problem.value([(4, 0), (1, 2), (3, 5)]) == pytest.approx(0.06 + 0.45 + 0.42)


def test_a_pair_succeeds_by_its_own_random_number() -> None:
    problem = MatchingProblem(QUALITY)
    for round_ in range(1, 200):
        rng = Rng(4, 2, USERS, round_)
        pairs = [(5, 0), (1, 4), (3, 2)]
        expected = [
            rng.uniform(min(i, j) * 6 + max(i, j)) < QUALITY[i] * QUALITY[j] for i, j in pairs
        ]
        assert problem.draw(pairs, seed=4, game=2, round=round_) == expected


def test_renamed_items_keep_their_quality() -> None:
    order = np.array([5, 4, 3, 2, 1, 0])
    assert MatchingProblem(QUALITY).renamed(order).quality.tolist() == QUALITY[::-1]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda p: MatchingProblem([0.5, 0.5, 0.5]), "len(quality) must be even, got 3"),
        (lambda p: MatchingProblem([0.5, 1.5]), "quality[1] must be in [0, 1], got 1.5"),
        (lambda p: MatchingProblem([0.5] * 4098), "len(quality) must be in 2..4096, got 4098"),
        (lambda p: p.value([(0, 1), (1, 2)]), "pairs must hold each of 4 items once, got [0, 1"),
        (lambda p: p.value([(0, 1)]), "pairs must hold each of 4 items once, got [0, 1]"),
        (lambda p: p.value([(0, 1, 2), (3,)]), "pairs must be pairs of items, got (0, 1, 2)"),
        (lambda p: p.value([(0, 4), (1, 2)]), "pairs must be in 0..n_items-1=3, got 4"),
    ],
)
def test_a_wrong_problem_or_matching_is_named(call: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        call(MatchingProblem([0.5] * 4))
    assert sentence in str(caught.value)


@pytest.mark.parametrize("number", range(10))
def test_sam_and_its_literal_twin_agree_round_by_round(number: int) -> None:
    draw = Random(number)
    n_items = 2 * draw.randint(1, 5)
    values = [draw.random() for _ in range(draw.randint(1, n_items))]
    problem = MatchingProblem([draw.choice([*values, 1.0, 0.0]) for _ in range(n_items)])
    horizon = draw.choice([1, 2, 10, 100])  # narrow intervals: many cuts, also wrong ones
    sam = SimpleAdaptiveMatching(n_items, horizon=horizon)
    twin = SimpleAdaptiveMatchingTwin(n_items, horizon=horizon)
    for round_ in range(1, 501):
        pairs = sam.match()
        assert list(pairs) == twin.match(), f"round {round_}"
        successes = problem.draw(pairs, seed=number, round=round_)
        sam.update(successes)
        twin.update(successes)
        assert sam.clusters == tuple(tuple(c.members) for c in twin.clusters)
    met, won = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for i, j, success in twin.committed:
        met.update([(i, j), (j, i)])
        won.update([(i, j), (j, i)] if success else [])
    for i in range(n_items):
        for j in range(n_items):
            assert (sam.met[i, j], sam.won[i, j]) == (met[i, j], won[i, j])


@pytest.mark.parametrize("n_items", [2, 4, 6, 10])
def test_a_cycle_pairs_everyone_with_everyone_once(n_items: int) -> None:
    sam = SimpleAdaptiveMatching(n_items, horizon=10**6)
    for _ in range(3):
        met = Counter[frozenset[int]]()
        for _ in range(n_items - 1):
            pairs = sam.match()
            assert sorted(item for pair in pairs for item in pair) == list(range(n_items))
            met.update(frozenset(pair) for pair in pairs)
            sam.update([True] * (n_items // 2))
        assert set(met.values()) == {1}
        assert len(met) == n_items * (n_items - 1) // 2


def test_a_cut_needs_intervals_that_do_not_touch() -> None:
    # After c cycles k = 3 c; items 0 and 1 win all but against each other's rivals.
    sam = SimpleAdaptiveMatching(4, horizon=100)
    for n_cycles in range(1, 100):
        for _ in range(3):
            sam.update([{*pair} == {0, 1} for pair in sam.match()])
        gap, width = 1 / 3, np.sqrt(np.log(100) / (3 * n_cycles))
        assert len(sam.clusters) == (2 if 2 * width < gap else 1)
        if len(sam.clusters) == 2:
            break
    assert sam.clusters == ((0, 1), (2, 3))


def test_a_part_is_cut_again_in_the_next_round_not_only_after_its_own_cycle() -> None:
    # Without width, and with pairs that succeed if i + j <= 4, items win 4, 3, 2, 2, 1, 0 of 5.
    sam = SimpleAdaptiveMatching(6, horizon=1)
    sizes = []
    for _ in range(6):
        sam.update([i + j <= 4 for i, j in sam.match()])
        sizes.append([len(cluster) for cluster in sam.clusters])
    assert sizes == [[6]] * 4 + [[2, 4], [2, 2, 2]]
    assert sam.clusters == ((0, 1), (2, 3), (4, 5))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: SimpleAdaptiveMatching(3, horizon=10), "n_items must be even, got 3"),
        (lambda: SimpleAdaptiveMatching(4, horizon=0), f"horizon must be in 1..{2**60}, got 0"),
        (
            lambda: SimpleAdaptiveMatching(4, horizon=9).update([True, True]),
            "update() must follow match(), once for each round",
        ),
    ],
)
def test_a_wrong_argument_is_named(call: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        call()
    assert str(caught.value) == sentence


def test_rounds_are_answered_one_by_one_and_in_full() -> None:
    sam = SimpleAdaptiveMatching(4, horizon=9)
    sam.match()
    with pytest.raises(ArgumentError, match="round 1 is unanswered"):
        sam.match()
    with pytest.raises(ArgumentError, match=r"successes must be 2 times True or False, got \[1\]"):
        sam.update([1])  # type: ignore[list-item]
    with pytest.raises(ArgumentError, match=r"successes must be 2 times True or False, got \[1, 2"):
        sam.update([1, 2])  # type: ignore[list-item]
    sam.update([True, False])
    assert repr(sam) == "SimpleAdaptiveMatching(n_items=4, horizon=9, round=1)"
