"""Adding a policy takes one file and one export line; then it is everywhere."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import unirank

TOY = '''"""Toy: always the same items."""

from typing import Any, NamedTuple

import numpy as np

from unirank.policies.kernels.compiling import compiled
from unirank.policies.base.facts import registry
from unirank.policies.base.policy import Policy
from unirank.policies.base.kernels import PolicyKernels


class State(NamedTuple):
    rounds: Any  # (1,) int64


@compiled
def rank(state, rng, ranking):
    for position in range(ranking.size):
        ranking[position] = position
    state.rounds[0] += 1


@compiled
def update(state, ranking, clicks):
    return


@registry.register("toy", lists="one")
class Toy(Policy):
    """Shows the first items, always."""

    kernels = PolicyKernels(rank, update)

    def initial_state(self):
        return State(np.zeros(1, np.int64))
'''


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with one new file and one new line."""
    folder = tmp_path_factory.mktemp("tree")
    package = Path(unirank.__file__).parent
    shutil.copytree(package, folder / "unirank", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "unirank/policies/toy.py").write_text(TOY)
    with (folder / "unirank/policies/__init__.py").open("a") as exports:
        exports.write("\nfrom unirank.policies.toy import Toy\n")
    return folder


def command(tree: Path, *words: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "unirank", *words],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree), "COLUMNS": "120"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_it_is_listed_with_its_summary_and_facts(tree: Path) -> None:
    rows = json.loads(command(tree, "list", "policies", "--json"))["policies"]
    (toy,) = [row for row in rows if row["name"] == "toy"]
    assert (toy["what it does"], toy["lists"]) == ("Shows the first items, always", "one")


def test_it_is_checked(tree: Path) -> None:
    out = command(tree, "check", "toy")
    assert out.count("holds") >= 7
    assert "fails" not in out


@pytest.mark.slow
def test_it_is_run_and_plotted(tree: Path) -> None:
    out = command(tree, "run", "simul-cm", "--policy", "toy", "--n-rounds", "1e3")
    assert "Toy" in out  # the name for people
    assert "results in results/simul-cm/rounds-1000-seed-0" in out
    command(tree, "plot", "results", "--out", "toy.svg")
    assert "<!-- Toy -->" in (tree / "toy.svg").read_text()
