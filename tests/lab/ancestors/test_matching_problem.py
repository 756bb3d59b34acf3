"""A matching problem: whom to pair, what that is worth, and whether it happens."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from tests.reference.randomness import USERS, Rng
from unirank import ArgumentError
from unirank.lab.ancestors import MatchingProblem

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
    assert MatchingProblem(QUALITY).shuffled(order).quality.tolist() == QUALITY[::-1]


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
def test_a_wrong_argument_is_named(call: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        call(MatchingProblem([0.5] * 4))
    assert sentence in str(caught.value)
