"""RBA: an independent bandit for each position.

Radlinski, Kleinberg and Joachims, "Learning Diverse Rankings with Multi-Armed Bandits", ICML 2008,
Algorithm 2 (ranked bandits), stated in `paper.py`: read that first. With Exp3 it gets
at least (1 - 1/e) of the best list's clicks less O(K sqrt(T L log L)), without knowing T. Each
position learns from its own clicks only, so RBA explores K times as much as policies that share
what they know of an item.

A proposal that already stands above is replaced by item number below(draw = K L + k, L - k) of
those that do not, in ascending order. A policy remembers, with each unanswered round, the proposals
and, for Exp3, their probabilities.
"""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.policy import Policy
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import DRAW_BITS, Rng, below
from unirank.policies.rba.bandits import fill_weights, learn, propose, scale_of
from unirank.policies.rba.state import EXP3, LEAST_CHANCE, State, check_statistics, initial_state
from unirank.policies.shared.number_memory import write_number, write_share


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    n_items = state.weights.size
    state.now[0].scale = scale_of(state)
    state.now[0].rounds += 1
    for position in range(ranking.size):
        item = propose(state, position, rng)
        state.proposals[position] = item
        for above in range(position):
            if ranking[above] == item:
                draw = ranking.size * n_items + position
                item = unused(ranking, position, below(rng, draw, n_items - position))
                break
        ranking[position] = item


@compiled
def unused(ranking: NDArray[np.int64], n_placed: int, number: int) -> int:
    """Return the item with this number, from 0, among those not among the first n_placed."""
    item = number
    while True:
        n_smaller = 0
        for above in range(n_placed):
            n_smaller += ranking[above] <= item
        if item == number + n_smaller:
            return item
        item = number + n_smaller


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        learn(state, position, clicks[position] and ranking[position] == state.proposals[position])


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    """Return the probability of any list, shown or not, in the last round."""
    chance = 1.0
    for position in range(ranking.size):
        total = fill_weights(state, position)
        proposed = state.weights[ranking[position]]
        clashing = 0.0
        for above in range(position):
            clashing += state.weights[ranking[above]]
        chance *= (proposed + clashing / (state.weights.size - position)) / total
    return chance


@compiled
def remember(state: State, memory: NDArray[np.uint8]) -> int:
    size = 0
    for item in state.proposals:
        size = write_number(memory, size, item)
    if state.bandit == EXP3:
        for chance in state.chances:
            size = write_share(memory, size, chance)
    return size


@registry.register(
    "rba",
    paper="Radlinski et al., ICML 2008",
    clicks="any",
    position_order=True,
    lists="one proposal per position, random where they clash",
    regret="K sqrt(T L log L) against 1 - 1/e of the best",
)
class RBA(Policy):
    """Learns each position by a bandit of its own.

    Use it where a list should contain something for everybody. Do not use it where regret against
    the best list must vanish, nor where there is little traffic.

    Parameters
    ----------
    bandit
        "ucb1", "kl-ucb" or "exp3".

    Examples
    --------
    >>> policy = RBA(items=["a", "b", "c"], n_positions=1, bandit="kl-ucb")
    >>> for _ in range(50):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items))
    >>> policy.rank().items
    ('b',)
    """

    kernels = PolicyKernels(rank, update, propensity=propensity, remember=remember)
    bandit: Literal["ucb1", "kl-ucb", "exp3"] = "ucb1"

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        n_draws = self.n_positions * (self.n_items + 1)
        if n_draws > 2**DRAW_BITS:
            raise ArgumentError(
                f"n_positions * (n_items + 1) must be at most {2**DRAW_BITS}, got {n_draws}"
            )
        return options

    def initial_state(self) -> State:
        return initial_state(self.n_items, self.n_positions, self.bandit)

    def memory_room(self) -> int:
        return 16 * self.n_positions

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        half = 8 * self.n_positions
        self.state.proposals[:] = np.frombuffer(memory[:half], np.int64)
        if self.state.bandit == EXP3:
            self.state.chances[:] = np.frombuffer(memory[half:], np.float64)

    def check_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bool:
        n, half = self.n_positions, 8 * self.n_positions
        if len(memory) != (2 * half if self.state.bandit == EXP3 else half):
            return False
        proposals = np.frombuffer(memory[:half], np.int64).tolist()
        chances = np.frombuffer(memory[half:], np.float64)
        shown = ranking.tolist()
        return all(proposals[k] in shown[: k + 1] for k in range(n)) and bool(
            np.all((chances >= LEAST_CHANCE) & (chances <= 1))
        )

    def statistics(self) -> dict[str, NDArray[Any]]:
        state = self.state
        counts = {"pulled": state.pulled, "won": state.won, "rounds": state.now["rounds"]}
        return counts | {"losses": state.losses} if state.bandit == EXP3 else counts

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = self.initial_state()
        super().restore(statistics)
        check_statistics(self.state)
