"""RBA: an independent bandit for each position, which learns what to add to those above it.

Radlinski, Kleinberg and Joachims, "Learning Diverse Rankings with Multi-Armed Bandits", ICML 2008,
Algorithm 2 (ranked bandits). Assumes only that positions are given by decreasing
attention; its aim is that some item is clicked. With Exp3 it gets at least (1 - 1/e) of the best
list's clicks less O(K sqrt(T L log L)), without knowing T. Not where the regret against the best
list must vanish, nor where there is little traffic: each position learns alone, from its own clicks
only, so that it explores K times as much as policies that share what they know of an item.

Each round, for positions k = 1, 2, ..., K:
    propose   bandit k proposes an item (`rba_bandits.py`)
    show      the proposal; if it stands above already, an item that does not, uniformly chosen:
              the below(draw = K L + k, L - k) -th of them in ascending order, k counted from 0
    learn     bandit k is rewarded for its proposal: 1 if it was shown and clicked, else 0

So a bandit learns that what stands above earns nothing. A policy remembers, with each unanswered
round, the proposals and, for Exp3, their probabilities: late answers count as prompt ones.
"""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import DRAW_BITS, LARGEST_ROUND, Rng, below
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.policy import Policy
from unirank.policies.rba.bandits import (
    BANDITS,
    EXP3,
    NOW,
    State,
    derive,
    fill_weights,
    learn,
    propose,
    start_round,
)
from unirank.policies.rba.exp3 import LEAST_CHANCE


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    n_items = state.weights.size
    start_round(state)
    for position in range(ranking.size):
        item = propose(state, position, rng)
        state.proposals[position] = item
        for above in range(position):
            if ranking[above] == item:
                draw = ranking.size * n_items + position
                item = unused(state, position, below(rng, draw, n_items - position))
                break
        ranking[position] = item
        place_also(state, position, item)


@compiled
def place_also(state: State, n_placed: int, item: int) -> None:
    place = n_placed
    while place > 0 and state.placed[place - 1] > item:
        state.placed[place] = state.placed[place - 1]
        place -= 1
    state.placed[place] = item


@compiled
def unused(state: State, n_placed: int, number: int) -> int:
    """The item that is `number`-th, from 0, among those not placed."""
    for place in range(n_placed):
        if state.placed[place] <= number:
            number += 1
    return number


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        learn(state, position, clicks[position] and ranking[position] == state.proposals[position])


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    """Probability of any list, shown or not, in the round last given."""
    chance = 1.0
    for position in range(ranking.size):
        total = fill_weights(state, position)
        proposed = state.weights[ranking[position]]
        clashing = 0.0
        for above in range(position):
            clashing += state.weights[ranking[above]]
        chance *= (proposed + clashing / (state.weights.size - position)) / total
    return chance


@registry.register(
    "rba",
    paper="Radlinski et al., ICML 2008",
    clicks="any",
    position_order=True,
    lists="one proposal per position, random where they clash",
    regret="K sqrt(T L log L) against 1 - 1/e of the best",
)
class RBA(Policy):
    """Learns each position by a bandit of its own, given what stands above it.

    `bandit` is "ucb1", "kl-ucb" or "exp3".

    >>> policy = RBA(items=["a", "b", "c"], n_positions=1, bandit="kl-ucb")
    >>> for _ in range(50):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items))
    >>> policy.rank().items
    ('b',)
    """

    kernels = PolicyKernels(rank, update, propensity=propensity)
    bandit: Literal["ucb1", "kl-ucb", "exp3"] = "ucb1"

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        n_draws = self.n_positions * (self.n_items + 1)
        if n_draws > 2**DRAW_BITS:
            raise ArgumentError(
                f"n_positions * (n_items + 1) must be at most {2**DRAW_BITS}, got {n_draws}"
            )
        return options

    def initial_state(self) -> State:
        size = self.n_positions, self.n_items
        return State(
            pulled=np.zeros(size, np.int64),
            won=np.zeros(size, np.int64),
            losses=np.zeros(size),
            means=np.full(size, np.inf),
            widths=np.zeros(size),
            peaks=np.zeros(size),
            proposals=np.zeros(self.n_positions, np.int64),
            chances=np.ones(self.n_positions),
            placed=np.zeros(self.n_positions, np.int64),
            weights=np.zeros(self.n_items),
            now=np.zeros(1, NOW),
            bandit=BANDITS.index(self.bandit),
        )

    def remember(self) -> bytes:
        memory = self.state.proposals.tobytes()
        return memory + self.state.chances.tobytes() if self.state.bandit == EXP3 else memory

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
        pulled, won, losses = self.state.pulled, self.state.won, self.state.losses
        rounds = int(self.state.now["rounds"][0])
        if not 0 <= rounds <= LARGEST_ROUND:
            raise ArgumentError(f"rounds must be in 0..{LARGEST_ROUND}, got {rounds}")
        if pulled.min() < 0 or pulled.max() > rounds or pulled.sum(axis=1).max() > rounds:
            raise ArgumentError("pulled must be counts of at most one a round and position")
        if won.min() < 0 or (won > pulled).any():
            raise ArgumentError("won must be counts of at most pulled")
        lost = pulled - won
        # Each loss is at least 1; a long sum may have lost some digits.
        plausible = (losses >= 0.999 * lost) & (losses <= lost / LEAST_CHANCE)
        if "losses" in statistics and not plausible.all():
            raise ArgumentError("losses must be at least 1 for each round that was not won")
        for k, item in np.argwhere(pulled > 0).tolist():
            derive(self.state, k, item)
