"""A policy beside its literal twin, on problems with as many items as positions, one more, or more.

Each twin is told in `update` which round is answered, and keeps the chance of its last list.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import pytest

from tests.reference.click_models import CM, PBM, ClickModel
from tests.reference.randomness import USERS, Rng
from unirank import Policy, Ranking

N_ROUNDS = 2000
NUMBERS = range(10)


class Twin(Protocol):
    propensity: float

    def rank(self) -> list[int]: ...
    def update(self, ranking: Sequence[int], clicks: Sequence[bool], round: int) -> None: ...


def problem(number: int) -> tuple[int, int, ClickModel]:
    """A random problem: 2..10 items, PBM or CM, often with equal items."""
    draw = random.Random(number)
    n_items = draw.randint(2, 10)
    sizes = [n_items, n_items - 1, draw.randint(1, n_items), 1, draw.randint(2, n_items)]
    n_positions = sizes[number // 2]
    values = [draw.random() ** 2 for _ in range(draw.randint(2, n_items))]
    attraction = [draw.choice(values) for _ in range(n_items)]
    if number % 2:
        return n_items, n_positions, CM(attraction)
    chances = sorted((draw.uniform(0.3, 1) for _ in range(n_positions)), reverse=True)
    return n_items, n_positions, PBM(attraction, chances)


def answer(policy: Policy, shown: Ranking, clicks: list[bool]) -> None:
    policy.update(shown, [i for i, click in zip(shown.items, clicks, strict=True) if click])


def play_beside(
    policy: Policy, twin: Twin, users: ClickModel, *, delay: int = 0, n_rounds: int = N_ROUNDS
) -> None:
    """Both give the same rankings, as probable, with answers `delay` rounds late and disordered."""
    waiting: list[tuple[Ranking, list[bool]]] = []
    for round_ in range(1, n_rounds + 1):
        expected = twin.rank()
        shown = policy.rank()
        assert list(shown.items) == expected, f"round {round_}"
        assert shown.propensity == pytest.approx(twin.propensity, rel=1e-12)
        waiting.append((shown, users.clicks(expected, Rng(policy.seed, 0, USERS, shown.round))))
        if len(waiting) > delay:
            shown, clicks = waiting.pop((7 * round_) % len(waiting))
            answer(policy, shown, clicks)
            twin.update([int(i) for i in shown.items], clicks, shown.round)


def play_until(
    policy: Policy, done: Callable[[], bool], clicks: Callable[[Ranking], Iterable[int | str]]
) -> None:
    """Play with such users until it is done, as it must be at some time."""
    for _ in range(20_000):
        if done():
            return
        shown = policy.rank()
        policy.update(shown, clicks(shown))
    raise AssertionError("it has not come to that")
