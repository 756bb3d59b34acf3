"""A kernel that does not compile is one line: the author's, and what is wrong with it."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import unirank as ur
from unirank.lab.checks.policy import policy_outcomes
from unirank.policies.kernels.compile_errors import compile_error

HEAD = """import numpy as np
from typing import NamedTuple
from unirank import Policy
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.selection import top_k
from unirank.policies.base.kernels import PolicyKernels

class State(NamedTuple):
    seen: np.ndarray
    width: float

"""
TAIL = """
class Mine(Policy):
    kernels = PolicyKernels(rank, update)
    def initial_state(self):
        return State(np.zeros(self.n_items), 1.0)
"""
RANK = "@compiled\ndef rank(state, rng, ranking):\n    "
UPDATE = "@compiled\ndef update(state, ranking, clicks):\n    "
GOOD_RANK, GOOD_UPDATE = f"{RANK}top_k(state.seen, rng, ranking)", f"{UPDATE}state.seen[0] += 1"

Write = Callable[[str, str], Any]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    monkeypatch.syspath_prepend(tmp_path)

    def written(rank: str, update: str) -> Any:
        (tmp_path / "miscompiled.py").write_text(f"{HEAD}{rank}\n\n{update}\n{TAIL}")
        return importlib.import_module("miscompiled").Mine

    yield written
    sys.modules.pop("miscompiled", None)


@pytest.mark.parametrize(
    ("rank", "update", "line"),
    [
        (
            f"{RANK}state.seen[0] = state.widht",
            GOOD_UPDATE,
            "miscompiled.py:14 `state.seen[0] = state.widht`: TypingError: Unknown attribute "
            "'widht' of type State(array(float64, 1d, C), float64)",
        ),
        (
            f"{RANK}top_k(state.seen, ranking)",
            GOOD_UPDATE,
            "miscompiled.py:14 `top_k(state.seen, ranking)`: the call does not fit the kernel: "
            "missing a required argument: 'ranking'",
        ),
        (
            GOOD_RANK,
            f"{UPDATE}state.width = 2.0",
            "miscompiled.py:18 `state.width = 2.0`: width of the state is a number, which cannot "
            "change: use an array of one element",
        ),
        (
            f"def rank(state, rng, ranking):\n    {GOOD_RANK.splitlines()[-1].strip()}",
            GOOD_UPDATE,
            "rank is not compiled: put @compiled above it",
        ),
        (
            "@compiled\ndef rank(rng, state, ranking):\n    state.seen[0] += 1",
            GOOD_UPDATE,
            "miscompiled.py:14 `state.seen[0] += 1`: rng has no seen: the arguments of a kernel "
            "are (state, rng, ranking)",
        ),
        (
            f'{RANK}ranking[0] = state.seen + "a"',
            GOOD_UPDATE,
            'miscompiled.py:14 `ranking[0] = state.seen + "a"`: there is no compiled '
            "add(array(float64, 1d, C), Literal[str](a))",
        ),
        (
            f"{RANK}ranking[:] = np.argsort(np.zeros(3))",
            GOOD_UPDATE,
            "a kernel creates an array or assigns one array to another: keep scratch arrays in "
            "the state and copy in a loop, or decorate it with compiled_allocating",
        ),
    ],
)
def test_the_authors_line_and_what_is_wrong(
    rank: str, update: str, line: str, write: Write
) -> None:
    policy = write(rank, update)(3, 2)
    with pytest.raises(Exception) as caught:  # noqa: PT011  numba has many
        policy.update(policy.rank(), [])
    assert compile_error(caught.value).endswith(line)
    assert caught.value.__notes__[0].endswith(line)  # at the end of the traceback


def test_check_and_simulate_say_the_same(write: Write) -> None:
    cls = write(GOOD_RANK, f"{UPDATE}state.width = 2.0")
    place = "miscompiled.py:18 `state.width = 2.0`: width of the state is a number"
    assert policy_outcomes(cls)[0].problem.startswith(place)
    users = ur.PBM([0.5, 0.4, 0.3], [1.0, 0.5])
    with pytest.raises(ur.UnirankError, match=r"Mine on pbm does not compile: miscompiled\.py:18 "):
        ur.simulate(cls, users, n_positions=2, n_rounds=10, n_games=1)


def test_an_error_that_is_not_numbas_is_its_type_and_first_line() -> None:
    assert compile_error(ValueError("one\ntwo")) == "ValueError: one"
    assert compile_error(ValueError()) == "ValueError: "
