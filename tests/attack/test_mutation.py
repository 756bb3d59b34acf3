"""Mutations are what they say, and the same for the same random numbers."""

from copy import deepcopy
from random import Random
from typing import Any

import pytest

from tests.attack.mutation import mutated, reshaped, rewritten

TEXT = "a,b\n1,2\n3,4\n"
TREE = {"a": [1, 2.5, "x"], "b": {"c": b"bytes", "d": None}}


@pytest.mark.parametrize(
    "change",
    [
        lambda draw: mutated(TEXT.encode(), draw),
        lambda draw: rewritten(TEXT, ",", draw),
        lambda draw: repr(reshaped(TREE, draw)).encode(),
    ],
)
def test_most_mutations_change_something_and_each_can_be_made_again(change: Any) -> None:
    found = [change(Random(seed)) for seed in range(200)]
    assert found == [change(Random(seed)) for seed in range(200)]
    assert len(set(found)) > 100
    assert sum(one in (TEXT.encode(), repr(TREE).encode()) for one in found) < 40


def test_a_tree_stays_as_it_was() -> None:
    before = deepcopy(TREE)
    for seed in range(100):
        reshaped(TREE, Random(seed))
    assert before == TREE


def test_nothing_can_be_mutated() -> None:
    assert {mutated(b"", Random(seed)) for seed in range(50)} > {b""}
