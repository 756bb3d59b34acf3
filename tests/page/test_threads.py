"""Threads that share a policy wait for each other; nothing is lost, doubled or mixed up."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from unirank import Policy, Ranking, load
from unirank.policies import registry

N_THREADS, N_ROUNDS = 4, 300


@pytest.fixture(autouse=True)
def switching_often() -> Iterator[None]:
    """Let threads take turns as often as possible."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def together(policy: Policy, work: Any) -> list[Any]:
    with ThreadPoolExecutor(N_THREADS) as pool:
        return [done.result() for done in [pool.submit(work, policy) for _ in range(N_THREADS)]]


def play(policy: Policy) -> list[Ranking]:
    shown = []
    for n in range(N_ROUNDS):
        shown.append(policy.rank())
        policy.update(shown[-1], [shown[-1][n % 3]])
    return shown


@pytest.mark.parametrize("name", ["unirank", "toprank", "grab", "plain-unirank"])
def test_every_round_is_given_once_and_learnt_from_once(name: str) -> None:
    cls = registry[name]
    policy = cls(8, 3, seed=1, **cls.example_options(tuple(range(8)), 3))
    shown = [one for part in together(policy, play) for one in part]
    assert sorted(one.round for one in shown) == list(range(1, N_THREADS * N_ROUNDS + 1))
    assert all(len(set(one.items)) == 3 for one in shown)
    assert len(policy._on_page().unanswered) == 0


def test_threads_learn_what_one_thread_would() -> None:
    policy, alone = (registry["unirank"](8, 3, seed=1) for _ in range(2))
    for part in together(policy, play):
        for n, shown in enumerate(part):
            alone.learn(shown.items, shown.memory, [shown[n % 3]])
    assert policy.state.wins.tolist() == alone.state.wins.tolist()


def test_saving_while_others_play_gives_a_good_file(tmp_path: Path) -> None:
    policy = registry["unirank"](8, 3, seed=1)

    def save(policy: Policy) -> None:
        play(policy)
        policy.save(tmp_path / "state")
        load(tmp_path / "state")

    together(policy, save)
