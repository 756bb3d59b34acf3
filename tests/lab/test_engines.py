"""The same bits from threads and from the processes of a cluster; what dies is played again."""

import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.lab.small import SMALL
from unirank import ArgumentError, Trace
from unirank.errors import MissingExtraError
from unirank.lab import engines
from unirank.lab.blocks import Block, blocks_of, plans_of, play, play_plain

PLANS = plans_of(SMALL, SMALL.policies, n_rounds=2000, seed=2)
BLOCKS = [block for plan in PLANS for block in blocks_of(plan, range(7))]


def no_more(*_: object) -> None:
    return


def played(engine: engines.Engine, n_workers: int, blocks: list[Block] = BLOCKS) -> list[Trace]:
    found: dict[int, Trace] = {}

    def done(block: Block, trace: Trace) -> None:
        found[blocks.index(block)] = trace

    engines.play_blocks(blocks, done, no_more, engine=engine, n_workers=n_workers)
    return [found[number] for number in range(len(blocks))]


def test_one_thread_two_threads_and_two_processes_give_the_same_bits() -> None:
    one, two, processes = played("local", 1), played("local", 2), played("dask", 2)
    for left, middle, right in zip(one, two, processes, strict=True):
        assert left.recipe() == middle.recipe() == right.recipe()
        assert np.array_equal(left.regret, middle.regret)
        assert np.array_equal(left.regret, right.regret)


def test_a_worker_that_dies_loses_only_its_block(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setattr(engines, "play_plain", DyingOnce(f"{tmp_path}/died"))
    for expected, trace in zip(BLOCKS, played("dask", 2), strict=True):
        assert np.array_equal(trace.regret, play(expected).regret)
    assert os.path.exists(f"{tmp_path}/died")


class DyingOnce:
    """`play_plain`, but the first call kills its process."""

    def __init__(self, mark: str) -> None:
        self.mark = mark

    def __call__(self, block: Mapping[str, Any]) -> Trace:
        try:
            os.close(os.open(self.mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return play_plain(block)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


def test_what_was_finished_before_ctrl_c_was_handed_over() -> None:
    finished: list[Block] = []

    def done(block: Block, _: Trace) -> None:
        finished.append(block)
        if len(finished) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engines.play_blocks(BLOCKS, done, no_more, n_workers=1)
    assert len(finished) == 2


def test_ctrl_c_ends_the_blocks_in_flight() -> None:
    long = [
        block
        for plan in plans_of(SMALL, SMALL.policies[:1], n_rounds=10**12, seed=2, skip=False)
        for block in blocks_of(plan, range(2))
    ]

    def impatient(rounds: int, games: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):  # or this test would not end
        engines.play_locally(long, no_more, impatient, 2)


def test_an_error_in_a_block_is_not_swallowed() -> None:
    wrong = [Block(replace(PLANS[0], n_positions=9), [0])]
    with pytest.raises(ArgumentError, match="n_positions must be in"):
        played("local", 1, wrong)


def test_a_scheduler_that_is_none_is_an_error() -> None:
    with pytest.raises(ArgumentError, match="scheduler must be the address of a Dask scheduler"):
        engines.play_blocks(
            BLOCKS, no_more, no_more, engine="dask", n_workers=1, scheduler="nonsense"
        )
    with pytest.raises(ArgumentError, match="scheduler must go with --engine dask"):
        engines.play_blocks(BLOCKS, no_more, no_more, n_workers=1, scheduler="tcp://x:1")


def test_a_cluster_that_is_not_installed_is_an_error_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match="this needs distributed"):
        engines.check_engine("dask")
