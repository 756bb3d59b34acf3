"""BubbleRank: improves a good list by exchanging neighbours.

Li, Kveton, Lattimore, Markov, de Rijke, Szepesvari and Zoghi, "BubbleRank: Safe Online Learning to
Re-Rank via Implicit Click Feedback", UAI 2019, Algorithm 1 with a pool of further items, stated in
`paper.py`: read that first. Positions must be given by decreasing examination.
Regret O(K (K + V) / Delta log T), where V counts the wrongly ordered pairs of the start list; with
probability 1 - delta K^2 T no list shown has more than K/2 wrongly ordered pairs above those V.

Draws of a round: p says whether the pair at positions p, p + 1 (from 0) swaps, K - 1 whether the
pool's item is shown, K which one it is. Round 0 draws the start list, if none is given.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Horizon, StartList
from unirank.policies.base.policy import Policy
from unirank.policies.bubble_rank.state import (
    State,
    bubble,
    certainly_better,
    initial_state,
    start_list,
    use_pool,
    with_statistics,
)
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, at_round, below, uniform
from unirank.policies.kernels.shuffling import shuffle_prefix
from unirank.policies.shared.number_memory import write_number

NOBODY = -1


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    now, base = state.now[0], state.base
    n_positions = ranking.size
    if now.rounds == 0 and state.draws_start:
        shuffle_prefix(base, 0, base.size, n_positions, at_round(rng.key, 0))
    now.rounds += 1
    now.offset = now.rounds & 1
    for position in range(n_positions):
        ranking[position] = base[position]
    for upper in range(now.offset, n_positions - 1, 2):
        certain = certainly_better(state, base[upper], base[upper + 1])
        if not certain and uniform(rng, upper) < 0.5:
            ranking[upper], ranking[upper + 1] = base[upper + 1], base[upper]
    now.other = NOBODY
    if now.n_pool > 0 and last_is_alone(now.offset, n_positions):
        last = n_positions - 1
        now.other = base[n_positions + below(rng, n_positions, now.n_pool)]
        if uniform(rng, last) < 0.5:
            ranking[last], now.other = now.other, base[last]


@compiled
def last_is_alone(offset: int, n_positions: int) -> bool:
    """Whether the pairs that start at `offset` leave out the last position."""
    return (n_positions - offset) & 1 == 1


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    now = state.now[0]
    last = ranking.size - 1
    for upper in range(now.offset, last, 2):
        if clicks[upper] and not clicks[upper + 1]:
            state.wins[ranking[upper], ranking[upper + 1]] += 1
        elif clicks[upper + 1] and not clicks[upper]:
            state.wins[ranking[upper + 1], ranking[upper]] += 1
    if now.other != NOBODY and clicks[last]:
        state.wins[ranking[last], now.other] += 1
    bubble(state)
    use_pool(state)


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    """Return the probability of the list just shown."""
    now = state.now[0]
    last = ranking.size - 1
    chance = 1.0
    for upper in range(now.offset, last, 2):
        if not certainly_better(state, state.base[upper], state.base[upper + 1]):
            chance *= 0.5
    if now.other != NOBODY:
        chance *= 0.5 if ranking[last] == state.base[last] else 0.5 / now.n_pool
    return chance


@compiled
def remember(state: State, memory: NDArray[np.uint8]) -> int:
    now = state.now[0]
    return write_number(memory, write_number(memory, 0, now.offset), now.other)


@registry.register(
    "bubblerank",
    paper="Li et al., UAI 2019",
    clicks="any",
    position_order=True,
    logarithmic=True,
    lists="neighbours swapped at random",
    regret="K (K + V)/Delta log T",
)
class BubbleRank(Policy):
    """Exchanges neighbours of a start list once they are certainly in the wrong order.

    Use it to improve a good list safely. Do not use it without one: an item climbs one position at
    a time, each on hundreds of clicks.

    Parameters
    ----------
    initial
        The start list, n_positions item ids or all of them, of which the first n_positions
        are shown; by default a random order.

    Examples
    --------
    >>> policy = BubbleRank(items=["a", "b", "c"], n_positions=2, horizon=100, initial=["a", "b"])
    >>> for _ in range(300):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks=[item for item in shown.items if item == "b"])
    >>> policy.base_list, policy.pool
    (('b', 'a'), ('c',))
    """

    kernels = PolicyKernels(rank, update, propensity=propensity, remember=remember)
    pair_bytes = 8
    horizon: Horizon
    initial: StartList | None = None

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        if options["initial"] is not None:
            start_list(self.items, self.n_positions, options["initial"])
        return options

    def initial_state(self) -> State:
        base = None
        if self.initial is not None:
            base = start_list(self.items, self.n_positions, self.initial)
        return initial_state(self.n_items, self.n_positions, self.horizon, base)

    def memory_room(self) -> int:
        return 16

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        self.state.now["offset"], self.state.now["other"] = np.frombuffer(memory, np.int64)

    def check_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bool:
        if len(memory) != 16:
            return False
        offset, other = np.frombuffer(memory, np.int64).tolist()
        if offset not in (0, 1):
            return False
        alone = last_is_alone(offset, self.n_positions)
        return other == NOBODY or bool(
            alone and 0 <= other < self.n_items and other not in ranking.tolist()
        )

    def statistics(self) -> dict[str, NDArray[Any]]:
        now = self.state.now
        return {
            "wins": self.state.wins,
            "base": self.state.base,
            "clock": np.concatenate((now["rounds"], now["n_pool"])),
        }

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = with_statistics(self.initial_state(), **statistics)

    @property
    def base_list(self) -> tuple[int | str, ...]:
        """The base list; empty until the first round, if that has to draw it."""
        if self.state.now["rounds"] == 0 and self.initial is None:
            return ()
        return self._ids(self.state.base[: self.n_positions])

    @property
    def pool(self) -> tuple[int | str, ...]:
        """Items that may still replace the last one of the base list, in no particular order."""
        if not self.base_list:
            return self.items
        end = self.n_positions + int(self.state.now["n_pool"][0])
        return self._ids(self.state.base[self.n_positions : end])
