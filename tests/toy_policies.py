"""Policies for tests: one that is right, and some that each break one rule."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.policies import Policy
from unirank.policies.base.facts import Facts
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.kernels.compiling import compiled


class State(NamedTuple):
    clicks: NDArray[np.int64]  # (n_items,)
    given: NDArray[np.int64]  # (1,) rounds given


@compiled
def rank(state: State, rng: Any, ranking: NDArray[np.int64]) -> None:
    # The most clicked items, by repeated maximum; the lower item wins ties.
    for position in range(ranking.size):
        best = -1
        for item in range(state.clicks.size):
            taken = False
            for earlier in range(position):
                taken = taken or ranking[earlier] == item
            if not taken and (best < 0 or state.clicks[item] > state.clicks[best]):
                best = item
        ranking[position] = best
    state.given[0] += 1


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position, item in enumerate(ranking):
        if clicks[position]:
            state.clicks[item] += 1


@compiled
def certain(state: State, ranking: NDArray[np.int64]) -> float:
    return 1.0


class Toy(Policy):
    """Shows what was clicked most."""

    name = "toy"
    kernels = PolicyKernels(rank, update, propensity=certain)

    def initial_state(self) -> State:
        return State(np.zeros(self.n_items, np.int64), np.zeros(1, np.int64))


@compiled
def rank_repeating(state: State, rng: Any, ranking: NDArray[np.int64]) -> None:
    for position in range(ranking.size):
        ranking[position] = 0


@compiled
def hold_too_long(state: State, limit: int, ranking: NDArray[np.int64]) -> int:
    for position in range(ranking.size):
        ranking[position] = position
    return min(limit, 100)


@compiled
def above_one(state: State, ranking: NDArray[np.int64]) -> float:
    return 2.0


@compiled
def rank_allocating(state: State, rng: Any, ranking: NDArray[np.int64]) -> None:
    ranking[:] = np.arange(ranking.size)


@compiled
def rank_out_of_range(state: State, rng: Any, ranking: NDArray[np.int64]) -> None:
    for position in range(ranking.size):
        ranking[position] = position + 10**9


class OutOfRange(Toy):
    kernels = PolicyKernels(rank_out_of_range, update)
    name = "out-of-range"


class RepeatsItems(Toy):
    kernels = PolicyKernels(rank_repeating, update)
    name = "repeats"


class HoldsTooLong(Toy):
    kernels = PolicyKernels(rank, update, hold_too_long)
    name = "holds-too-long"


class Overconfident(Toy):
    kernels = PolicyKernels(rank, update, propensity=above_one)
    name = "overconfident"


class Allocates(Toy):
    kernels = PolicyKernels(rank_allocating, update)
    name = "allocates"


class LearnsTwice(Toy):
    name = "learns-twice"

    def _begin_rounds(self, max_pending: int, token_key: str | bytes | None) -> Any:
        rounds = super()._begin_rounds(max_pending, token_key)
        vars(rounds.elsewhere)["check"] = lambda epoch, number: None
        return rounds


class IgnoresAvailability(Toy):
    name = "ignores-availability"
    facts = Facts(availability=True)

    def rank(self, available: Any = None) -> Any:
        return super().rank()


class ShowsRemovedItems(Toy):
    name = "shows-removed-items"
    facts = Facts(catalogue=True)

    def _choice(self, available: Any) -> None:
        return None


class MergesTooMuch(Toy):
    name = "merges-too-much"
    facts = Facts(merge=True)

    def merged_statistics(self, theirs: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
        return {name: array + theirs[name] for name, array in self.statistics().items()}


class RepeatsBatches(Toy):
    name = "repeats-batches"

    def rank_many(self, n: int) -> Any:
        return [*super().rank_many(n)[1:], self.rank()]


class UsesGlobalRandomness(Toy):
    name = "global-randomness"

    def rank(self, available: Any = None) -> Any:
        self.state.clicks[np.random.randint(self.n_items)] += 1  # noqa: NPY002 - the fault shown
        return super().rank()


class LooksAtIds(Toy):
    name = "looks-at-ids"

    def initial_state(self) -> State:
        state = super().initial_state()
        state.clicks[-1] = 5 if isinstance(self.items[0], str) else 0
        return state


class ForgetsOnSaving(Toy):
    name = "forgets"

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        pass


class ObjectDiffers(Toy):
    name = "object-differs"

    def update(self, shown: Any, clicks: Any) -> None:  # type: ignore[override]
        super().update(shown, [])
