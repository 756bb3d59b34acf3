"""Per context: one policy of any class for each combination of the factors that it is given.

They share nothing: what is learnt of visitors on mobile says nothing about those on desktop. That
is what a shop does that keeps a policy per kind of visitor, and what a policy that shares what the
kinds have in common is measured against.

In ordinary Python it drives the policies that it holds. In games it hands them over instead
(`for_contexts`): each then plays the visitors of its own contexts, compiled if it can be.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import server_for
from unirank.policies.base.options import Factors
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.policy import Policy
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.base.specs import PolicyOption, resolved
from unirank.policies.kernels.randomness import DRAW_BITS

UNKNOWN = "unknown"  # the level of a factor that a context lacks


class Memory(msgspec.Struct, array_like=True):
    """What an unanswered round needs besides its list."""

    levels: str  # as in `PerContext.policies`
    inner: bytes  # what the policy of these levels remembers


@registry.register(
    "per-context",
    spelled="Per context",
    clicks="any",
    lists="those of its policies",
    regret="the sum of its policies', each on its own visitors",
)
class PerContext(PlainPolicy):
    """A policy of its own for each kind of visitor, made when the first of a kind comes.

    Use it where kinds of visitors are few and differ in almost everything: each policy learns from
    its own visitors only.

    Parameters
    ----------
    policy
        The policy of each kind: a name, a class, or (that, options).
    by
        The factors that make the kinds: one for each combination of their levels. A visitor who
        lacks one is of the level "unknown".

    Examples
    --------
    >>> import unirank as ur
    >>> looks = [1.0, 0.5]
    >>> users = ur.Segments(
    ...     contexts=[{"device": "mobile"}, {"device": "desktop"}],
    ...     shares=[0.7, 0.3],
    ...     users=[ur.PBM([0.5, 0.1, 0.3], looks), ur.PBM([0.1, 0.5, 0.3], looks)],
    ... )
    >>> policies = ["unirank", ("per-context", {"policy": "unirank", "by": ["device"]})]
    >>> one, each = (
    ...     ur.simulate(policy, users, n_positions=2, n_rounds=10_000, n_games=2)
    ...     for policy in policies
    ... )
    >>> bool(each.mean[-1] < one.mean[-1] / 5)
    True
    """

    policy: PolicyOption
    by: Factors

    def start(self) -> None:
        self._class, self._options = resolved(self.policy)
        self._serve_one = server_for(self._class)
        self._fresh = self._new_policy()  # its errors come before the first visitor
        self._chance = float("nan")
        self._inner_memory = b""
        self.policies: dict[str, Policy] = {}  # by their levels, as JSON

    def for_contexts(self, contexts: Sequence[Mapping[str, str]]) -> list[tuple[Policy, list[int]]]:
        served: dict[str, list[int]] = {}
        for number, context in enumerate(contexts):
            served.setdefault(self._levels(context), []).append(number)
        return [
            (each, [number for number in numbers if number in mine])
            for levels, mine in served.items()
            for each, numbers in self._policy_of(levels).for_contexts(contexts)
            if set(numbers) & set(mine)
        ]

    def rank(self, rng: RoundRng) -> NDArray[np.int64]:  # type: ignore[override]
        policy = self._policy_of(self._levels(self.context))
        ranking = np.empty(self.n_positions, np.int64)
        room = np.zeros((policy.memory_room() + 7) // 8, np.uint64).view(np.uint8)
        address = rng.draws.address
        round_ = int(address.base) >> DRAW_BITS
        serving = address.key, round_, ranking, room
        chance, size = self._serve_one(policy.state, *serving)
        if chance < 0:
            policy.grow()
            chance, size = self._serve_one(policy.state, *serving)
        policy._on_page().round += 1
        self._chance = chance
        self._inner_memory = room[:size].tobytes() if size >= 0 else policy.remember()
        return ranking

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:  # type: ignore[override]
        policy = self._policy_of(self._levels(self.context))
        policy.kernels.update(policy.state, ranking, clicks)

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        return self._chance

    def remember(self) -> bytes:
        return msgspec.msgpack.encode(Memory(self._levels(self.context), self._inner_memory))

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        kept = msgspec.msgpack.decode(memory, type=Memory)
        self.context = dict(zip(self.by, json.loads(kept.levels), strict=True))
        self._policy_of(kept.levels).recall(ranking, kept.inner)

    def check_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bool:
        try:
            kept = msgspec.msgpack.decode(memory, type=Memory)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return False
        policy = self.policies.get(kept.levels, self._fresh)
        return self._are_levels(kept.levels) and policy.check_memory(ranking, kept.inner)

    def statistics(self) -> dict[str, Any]:
        return {"policies": {levels: each.statistics() for levels, each in self.policies.items()}}

    def _restore_statistics(self, statistics: dict[str, Any]) -> None:
        self.policies = {}
        for levels, found in statistics["policies"].items():
            if not self._are_levels(levels):
                raise ArgumentError(f"policies must have levels of {self.by}, got {levels!r:.60}")
            policy = self._policy_of(levels)
            fresh = policy.statistics()
            if _types_of(found) != _types_of(fresh):
                raise ArgumentError(
                    f"policies must have the statistics {sorted(fresh)}, got {found!r:.60}"
                )
            policy._restore_statistics(found)

    def _levels(self, context: Mapping[str, str]) -> str:
        return json.dumps([context.get(factor, UNKNOWN) for factor in self.by])

    def _are_levels(self, text: object) -> bool:
        """Whether `_levels` could have made this text."""
        try:
            levels = msgspec.json.decode(str(text), type=list[str])
        except msgspec.MsgspecError:
            return False
        return len(levels) == len(self.by) and text == json.dumps(levels)

    def _policy_of(self, levels: str) -> Policy:
        """Return the policy of these levels; make it when they are first met."""
        if levels not in self.policies:
            self.policies[levels] = self._new_policy()
        return self.policies[levels]

    def _new_policy(self) -> Policy:
        return self._class(self.items, self.n_positions, seed=self.seed, **self._options)


def _types_of(statistics: object) -> dict[str, str]:
    """Type of each statistic by name, of arrays that of their elements."""
    if not isinstance(statistics, dict):
        return {}
    return {name: str(getattr(value, "dtype", type(value))) for name, value in statistics.items()}
