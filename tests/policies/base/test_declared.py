"""What a class of policies declares is checked once, and the constructor follows from it."""

import inspect
from typing import Any

import pytest

from unirank import ArgumentError, UniRank
from unirank.policies import registry


def test_the_signature_is_that_of_the_declarations() -> None:
    names = list(inspect.signature(UniRank).parameters)
    shared = ["seed", "max_pending", "position_order", "token_key", "start", "trust", "half_life"]
    assert names == ["items", "n_positions", "early", "budget", *shared]


def test_a_constructor_of_ones_own_is_refused_because_it_could_lose_an_option() -> None:
    with pytest.raises(TypeError, match="Lossy must not define __init__: declare options as"):

        class Lossy(UniRank):
            def __init__(self, *args: Any, depth: int = 3, **settings: Any) -> None:
                super().__init__(*args, **settings)
                self.depth = depth


@pytest.mark.parametrize("name", ["seed", "round", "items", "rank"])
def test_names_that_every_policy_has_are_taken(name: str) -> None:
    with pytest.raises(TypeError, match=f"must not call an option '{name}': it is taken"):
        type("Taken", (UniRank,), {"__annotations__": {name: int}, name: 1})


def test_an_option_for_which_a_policy_lacks_the_fact_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"^toprank cannot use start; these can: "):
        registry["toprank"].check_options({"horizon": 9, "start": [1]})


def test_pairs_of_items_count_in_the_memory_needed() -> None:
    pairs = UniRank.memory_needed(2000, 5) - 2 * UniRank.memory_needed(1000, 5)
    assert pairs == UniRank.pair_bytes * (2000**2 - 2 * 1000**2)
