"""Blocks of any proofs, cycles too, and how likely their lists are; files that forge them."""

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from unirank import StateFileError, TopRank, load, papers
from unirank.page.state_file import write_state_file
from unirank.policies.base.snapshot import to_saved_array
from unirank.policies.top_rank.policy import propensity


def knowing(better: ArrayLike, n_positions: int, **options: Any) -> TopRank:
    """A TopRank to which these proofs were given: row is better than column."""
    table = np.asarray(better, np.bool_)
    policy = TopRank(len(table), n_positions, **{"horizon": 100, **options})
    clock = np.array([0, policy.current_horizon])
    policy.restore({"wins": np.zeros(table.shape, np.int64), "better": table, "clock": clock})
    return policy


@pytest.mark.parametrize(
    ("edges", "n_positions", "blocks"),
    [
        ([(0, 1), (1, 2), (2, 0)], 3, ((3,), (0, 1, 2))),
        ([(0, 1), (1, 0)], 1, ((2, 3),)),
        ([(0, 1), (1, 2), (2, 0), (2, 3)], 4, ((0, 1, 2, 3),)),  # 3 is behind a cycle: left with it
        ([(3, 0), (3, 1), (3, 2), (0, 1), (1, 2), (2, 0)], 2, ((3,), (0, 1, 2))),
    ],
)
def test_a_cycle_of_proofs_is_one_block(
    edges: list[tuple[int, int]], n_positions: int, blocks: Any
) -> None:
    better = np.zeros((4, 4), np.bool_)
    for i, j in edges:
        better[i, j] = True
    policy = knowing(better, n_positions)
    assert policy.blocks == blocks
    assert len(set(policy.rank().items)) == n_positions


@st.composite
def proofs(draw: st.DrawFn) -> list[list[bool]]:
    """Any relation, cycles included, of at most five items."""
    n_items = draw(st.integers(1, 5))
    chance = draw(st.sampled_from([1, 2, 4]))
    pairs = [[draw(st.integers(0, 4)) < chance for _ in range(n_items)] for _ in range(n_items)]
    return [[pair and i != j for j, pair in enumerate(row)] for i, row in enumerate(pairs)]


@given(proofs(), st.data())
def test_blocks_and_every_lists_chance_are_those_of_the_plain_edition(
    better: list[list[bool]], data: st.DataObject
) -> None:
    n_items = len(better)
    n_positions = data.draw(st.integers(1, n_items))
    twin: Any = papers.TopRank(n_items, n_positions, seed=3, horizon=100)
    twin.worse = {(j, i): 1.0 for i in range(n_items) for j in range(n_items) if better[i][j]}
    policy = knowing(better, n_positions, seed=3)
    assert policy.blocks == twin.block_indices()[: len(policy.blocks)]
    assert policy.rank() == twin.rank()
    found = {
        one: float(propensity(policy.state, np.array(one)))
        for one in permutations(range(n_items), n_positions)
    }
    assert found == pytest.approx({one: twin.propensity(np.array(one)) for one in found}, abs=1e-12)
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-12)


WINS = np.ones((3, 3), np.int64) - np.eye(3, dtype=np.int64)


@pytest.mark.parametrize(
    ("name", "array", "told"),
    [
        ("wins", -WINS, "wins must be a square table of counts"),
        ("wins", WINS[:2], "wins must be a square table of counts"),
        ("wins", WINS + 1, "wins must be a square table of counts"),
        ("better", np.eye(3, dtype=np.bool_), "better must be a square table of pairs"),
        ("better", np.zeros((2, 3), np.bool_), "better must be a square table of pairs"),
        *(
            ("clock", np.array(clock), "clock must be the rounds played and a horizon")
            for clock in ([], [-1, 8], [8, 8], [3, 16], [20, 24], [0, 0], [0, -8], [5, 7])
        ),
    ],
)
def test_a_forged_file_is_refused_in_one_line(
    tmp_path: Path, name: str, array: Any, told: str
) -> None:
    saved = TopRank(3, 2, horizon=8, doubling=True).to_saved()
    saved.statistics[name] = to_saved_array(np.asarray(array))
    if name == "clock":
        saved.statistics[name] = to_saved_array(np.asarray(array, np.int64))
    write_state_file(saved, tmp_path / "state")
    with pytest.raises(StateFileError, match=told):
        load(tmp_path / "state")


def test_a_horizon_that_never_doubles_cannot_be_forged(tmp_path: Path) -> None:
    saved = TopRank(3, 2, horizon=8).to_saved()
    saved.statistics["clock"] = to_saved_array(np.array([20, 16]))
    write_state_file(saved, tmp_path / "state")
    with pytest.raises(StateFileError, match="clock must be"):
        load(tmp_path / "state")


def test_a_truth_value_beyond_one_is_true(tmp_path: Path) -> None:
    saved = TopRank(2, 2, horizon=8).to_saved()
    saved.statistics["better"].data = bytes([0, 7, 0, 0])
    write_state_file(saved, tmp_path / "state")
    copy = load(tmp_path / "state")
    assert isinstance(copy, TopRank)
    assert copy.state.n_better.tolist() == [0, 1]
    assert copy.blocks == ((0,), (1,))
