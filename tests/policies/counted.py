"""Policies put into a chosen situation, and users who like some items."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unirank import Policy, Ranking
from unirank.policies.kernels.randomness import POLICY, address


def with_counts(
    cls: type[Policy], n_positions: int, options: Any = None, **counts: ArrayLike
) -> Any:
    """A policy that has counted this, by the names of its statistics."""
    policy = cls(len(np.asarray(counts["shown"])), n_positions, **(options or {}))
    policy.restore({name: np.array(values) for name, values in counts.items()})
    return policy


def samples_of(policy: Policy, n_rounds: int) -> NDArray[np.float64]:
    """What a policy samples for its items in many rounds, without learning in between."""
    ranking = np.zeros(policy.n_positions, np.int64)
    drawn = np.empty((n_rounds, policy.n_items))
    for round_ in range(n_rounds):
        policy.kernels.rank(policy.state, address(policy.seed, 0, POLICY, round_), ranking)
        drawn[round_] = policy.state.samples
    return drawn


def clicks_on(liked: Collection[int | str], shown: Ranking) -> list[int | str]:
    """Clicks of a user who likes these items only."""
    return [item for item in shown.items if item in liked]


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
