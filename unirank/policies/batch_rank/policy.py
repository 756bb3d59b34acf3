"""BatchRank: tests items in batches, and splits a batch where its items differ for sure.

Zoghi, Tunys, Ghavamzadeh, Kveton, Szepesvari and Wen, "Online Learning to Rank in Stochastic Click
Models", ICML 2017, Algorithms 1 to 3, stated in `paper.py`: read that first.
Positions must be given by decreasing examination. Regret O(K^3 L / Delta log T), at most.

A batch lists its items with the seen ones of this pass before the fresh ones, which still have the
fewest views. With f fresh items and m positions, draw p fills position p (from 0): Fisher-Yates
over the fresh; or if f < m, all fresh in their order, then Fisher-Yates over the seen, and draws
K + p shuffle these m by Fisher-Yates. Swaps stay. A counted item changes places with the first
fresh one. Splitting and dropping keep the order.

Late clicks count like prompt ones, unless the batch or stage they belong to has ended since.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Horizon
from unirank.policies.base.policy import Policy
from unirank.policies.batch_rank.stages import end_stage
from unirank.policies.batch_rank.state import (
    State,
    current_batches,
    initial_state,
    n_members,
    with_statistics,
)
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, below
from unirank.policies.shared.number_memory import write_number


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    for position in range(ranking.size):
        state.shown_since[position] = state.since[position]
    start = 0
    while start < ranking.size:
        end = state.ends[start]
        first_fresh = start + state.seen[start]
        items_end = start + n_members(state, start)
        if items_end - first_fresh >= end - start:
            draw(state, rng, ranking, start, end, first_fresh, items_end)
        else:
            n_fresh = items_end - first_fresh
            for slot in range(n_fresh):
                ranking[start + slot] = state.order[first_fresh + slot]
            draw(state, rng, ranking, start + n_fresh, end, start, first_fresh)
            mix(rng, ranking, start, end)
        start = end


@compiled
def draw(
    state: State,
    rng: Rng,
    ranking: NDArray[np.int64],
    start: int,
    end: int,
    slot: int,
    items_end: int,
) -> None:
    """Fill positions start..end with a random sample of the slots slot..items_end, in order."""
    order = state.order
    for position in range(start, end):
        other = slot + below(rng, position, items_end - slot)
        order[slot], order[other] = order[other], order[slot]
        ranking[position] = order[slot]
        slot += 1


@compiled
def mix(rng: Rng, ranking: NDArray[np.int64], start: int, end: int) -> None:
    """Shuffle positions start..end."""
    for position in range(start, end - 1):
        other = position + below(rng, ranking.size + position, end - position)
        ranking[position], ranking[other] = ranking[other], ranking[position]


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    start = 0
    while start < ranking.size:
        end = state.ends[start]
        n_items = n_members(state, start)
        # A batch that began after the round was shown may have other positions and items.
        if n_items > 1 and state.shown_since[start] == state.since[start]:
            for position in range(start, end):
                count(state, start, n_items, ranking[position], clicks[position])
            if state.seen[start] == n_items:
                state.seen[start] = 0
                state.views[start] += 1
                if state.views[start] == state.lengths[state.stage[start]]:
                    end_stage(state, start)
        start = end


@compiled
def count(state: State, start: int, n_items: int, item: int, click: bool) -> None:
    """Count a view of an item, if it still has the fewest of its batch."""
    first_fresh = start + state.seen[start]
    for slot in range(first_fresh, start + n_items):
        if state.order[slot] == item:  # the first one, if the clicks are prompt
            state.order[slot] = state.order[first_fresh]
            state.order[first_fresh] = item
            state.clicked[item] += click
            state.seen[start] += 1
            return


@compiled
def hold(state: State, limit: int, ranking: NDArray[np.int64]) -> int:
    # Batches of one item always show the same list, and count nothing.
    if state.now[0].n_left > ranking.size:
        return 0
    for position in range(ranking.size):
        if state.ends[position] != position + 1:
            return 0
        ranking[position] = state.order[position]
    return limit


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    """Return the probability of the list just shown: all lists of its batches are as likely."""
    chance = 1.0
    start = 0
    while start < ranking.size:
        size = state.ends[start] - start
        n_seen = state.seen[start]
        n_fresh = n_members(state, start) - n_seen
        for place in range(size):
            if n_fresh >= size:
                chance /= n_fresh - place
            else:  # any set of fillers, in any order with the fresh
                chance /= size - place
                if place < size - n_fresh:
                    chance *= (place + 1.0) / (n_seen - place)
        start += size
    return chance


@compiled
def remember(state: State, memory: NDArray[np.uint8]) -> int:
    size = 0
    for stage in state.shown_since:
        size = write_number(memory, size, stage)
    return size


@registry.register(
    "batchrank",
    paper="Zoghi et al., ICML 2017",
    clicks="any",
    position_order=True,
    logarithmic=True,
    lists="random in each batch",
    regret="K^3 L/Delta log T",
)
class BatchRank(Policy):
    """Tests items in batches, and splits a batch where its items differ for sure.

    Use it for any click model when the horizon is known. Do not use it for short games: the first
    stage alone shows each item 16 ln(horizon) times in random order.

    Examples
    --------
    >>> policy = BatchRank(items=["a", "b", "c"], n_positions=2, horizon=100)
    >>> for _ in range(200):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks=[item for item in shown.items if item == "c"])
    >>> policy.batches
    (('c',), ('a', 'b'))
    """

    kernels = PolicyKernels(rank, update, hold, propensity, remember=remember)
    horizon: Horizon

    def initial_state(self) -> State:
        return initial_state(self.n_items, self.n_positions, self.horizon)

    def memory_room(self) -> int:
        return 8 * self.n_positions

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        self.state.shown_since[:] = np.frombuffer(memory, np.int64)

    def check_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bool:
        # `count` ignores an item that is not of its batch, which a forged file can hold.
        return len(memory) == self.state.shown_since.nbytes

    def statistics(self) -> dict[str, NDArray[Any]]:
        state = self.state
        return {
            "order": state.order,
            "clicked": state.clicked,
            "ends": state.ends,
            "stage": state.stage,
            "views": state.views,
            "seen": state.seen,
            "since": state.since,
            "clock": np.concatenate((state.now["n_left"], state.now["n_ended"])),
        }

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = with_statistics(self.initial_state(), **statistics)

    @property
    def batches(self) -> tuple[tuple[int | str, ...], ...]:
        """Items that compete for the same positions, as ids, batch by batch from the top."""
        found = current_batches(self.state)
        return tuple(tuple(self.items[index] for index in batch) for batch in found)
