"""The check of seeds names the line that draws random numbers of its own, and the cure."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from unirank.lab.checks import ContractError, check_policy
from unirank.lab.checks.random_sources import random_cure, random_sources
from unirank.policies import PlainPolicy, Policy

PLAIN = """
import numpy as np, unirank as ur

class Mine(ur.PlainPolicy):
    def rank(self, rng):
        return np.random.permutation(self.n_items)[: self.n_positions]
    def update(self, ranking, clicks): pass
"""
COMPILED = """
import numpy as np
from typing import NamedTuple
from unirank import Policy
from unirank.policies.kernels.compiling import compiled
from unirank.policies.base.kernels import PolicyKernels

class State(NamedTuple):
    seen: np.ndarray

@compiled
def rank(state, rng, ranking):
    first = np.random.randint(state.seen.size)
    for position in range(ranking.size):
        ranking[position] = (first + position) % state.seen.size

@compiled
def update(state, ranking, clicks):
    state.seen[ranking[0]] += 1

class Mine(Policy):
    kernels = PolicyKernels(rank, update)
    def initial_state(self):
        return State(np.zeros(self.n_items))
"""

Write = Callable[[str], type[Policy]]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    monkeypatch.syspath_prepend(tmp_path)

    def written(text: str) -> type[Policy]:
        (tmp_path / "drawn_past_rng.py").write_text(text)
        cls: type[Policy] = importlib.import_module("drawn_past_rng").Mine
        return cls

    yield written
    sys.modules.pop("drawn_past_rng", None)


def test_a_plain_policy_is_told_the_line_and_the_generator(write: Write) -> None:
    with pytest.raises(ContractError) as caught:
        check_policy(write(PLAIN))
    assert str(caught.value).endswith(
        "two runs with seed 1 differ: drawn_past_rng.py:6 np.random.permutation is random by "
        "itself; take every random number from rng, a numpy.random.Generator, such as rng.random() "
        "or rng.permutation(n)"
    )


def test_a_compiled_policy_is_told_the_kernels(write: Write) -> None:
    with pytest.raises(ContractError) as caught:
        check_policy(write(COMPILED))
    assert "drawn_past_rng.py:13 np.random.randint is random by itself" in str(caught.value)
    assert str(caught.value).endswith(
        "from uniform(rng, draw) or below(rng, draw, n) of unirank.policies.kernels.randomness"
    )


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("numpy.random.default_rng(3)", True),
        ("random.random()", True),
        ("default_rng()", True),
        ("rng.random()", False),
        ("rng.permutation(3)", False),
        ("self.random()", False),
    ],
)
def test_other_generators_are_recognised(call: str, found: bool, write: Write) -> None:
    line = call.partition("(")[0]
    cls = write(f"import unirank as ur\nclass Mine(ur.PlainPolicy):\n    def rank(self): {call}")
    assert random_sources(cls) == ([f"drawn_past_rng.py:3 {line}"] if found else [])


def test_a_class_without_a_file_is_told_the_cure() -> None:
    made = type("Made", (PlainPolicy,), {"__module__": "__main__"})
    assert random_cure(made).startswith("take every random number from rng, a numpy.random.")
