"""SAM beside its literal twin, and on the cases of its specification."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.reference.matching import SimpleAdaptiveMatchingTwin
from unirank import ArgumentError
from unirank.lab.ancestors import MatchingProblem, SimpleAdaptiveMatching


@pytest.mark.parametrize("number", range(10))
def test_compiled_and_literal_agree_round_by_round(number: int) -> None:
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
            assert (sam.state.met[i, j], sam.state.won[i, j]) == (met[i, j], won[i, j])


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
