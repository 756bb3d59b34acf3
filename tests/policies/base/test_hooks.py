"""What a policy may define, and what happens where it does not."""

from typing import Any

import numpy as np
import pytest

from unirank import Policy
from unirank.policies import RandomOrder
from unirank.policies.base.hooks import PolicyHooks


def test_a_policy_must_say_how_it_starts() -> None:
    class Stateless(RandomOrder):
        initial_state = Policy.initial_state

    with pytest.raises(NotImplementedError, match=r"Stateless must define initial_state\(\)"):
        Stateless(3, 2)


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("begin_with", (np.arange(2), 20)),
        ("extend_state", ()),
        ("restricted_state", (np.arange(2),)),
    ],
)
def test_what_a_fact_promises_must_be_defined(method: str, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(NotImplementedError, match=rf"PolicyHooks must define {method}\(\)"):
        getattr(PolicyHooks(), method)(*arguments)


def test_each_list_of_one_memory_is_checked() -> None:
    class Picky(PolicyHooks):
        def check_memory(self, ranking: Any, memory: bytes) -> bool:
            return bool(ranking[0] == 1)

    assert Picky().check_memories(np.array([[1, 2], [1, 0]]), b"")
    assert not Picky().check_memories(np.array([[1, 2], [0, 1]]), b"")


def test_a_memory_of_version_1_that_cannot_be_is_refused() -> None:
    assert PolicyHooks().upgrade_memory(np.arange(2), b"") == b""
    assert PolicyHooks().upgrade_memory(np.arange(2), b"more") is None
