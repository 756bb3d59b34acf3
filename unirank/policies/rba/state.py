"""RBA's state: what the bandit of each position has learnt about each item."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.kernels.randomness import LARGEST_ROUND

BANDITS = ("ucb1", "kl-ucb", "exp3")
UCB1, KL_UCB, EXP3 = range(3)
LEAST_CHANCE = 2.0**-60  # of an Exp3 proposal that was drawn: losses stay finite

NOW = np.dtype(
    [
        ("rounds", np.int64),  # rankings given
        ("scale", np.float64),  # of the last ranking: see `bandits.scale_of`
    ]
)


class State(NamedTuple):
    pulled: NDArray[np.int64]  # (n_positions, n_items) answered proposals
    won: NDArray[np.int64]  # (n_positions, n_items) rewards they earned
    losses: NDArray[np.float64]  # (n_positions, n_items) of Exp3
    proposals: NDArray[np.int64]  # (n_positions,) of the ranking last given, or recalled
    chances: NDArray[np.float64]  # (n_positions,) with which Exp3 proposed them
    weights: NDArray[np.float64]  # (n_items,) scratch: indices, or weights of Exp3
    now: Any  # (1,) record NOW
    bandit: int


def initial_state(n_items: int, n_positions: int, bandit: str) -> State:
    """Return the state before the first round."""
    size = n_positions, n_items
    return State(
        pulled=np.zeros(size, np.int64),
        won=np.zeros(size, np.int64),
        losses=np.zeros(size),
        proposals=np.zeros(n_positions, np.int64),
        chances=np.ones(n_positions),
        weights=np.zeros(n_items),
        now=np.zeros(1, NOW),
        bandit=BANDITS.index(bandit),
    )


def check_statistics(state: State) -> None:
    """Raise ArgumentError for counts that no run of rounds could give."""
    pulled, won = state.pulled, state.won
    rounds = int(state.now["rounds"][0])
    if not 0 <= rounds <= LARGEST_ROUND:
        raise ArgumentError(f"rounds must be in 0..{LARGEST_ROUND}, got {rounds}")
    if pulled.min() < 0 or pulled.max() > rounds or pulled.sum(axis=1).max() > rounds:
        raise ArgumentError("pulled must be counts of at most one a round and position")
    if won.min() < 0 or (won > pulled).any():
        raise ArgumentError("won must be counts of at most pulled")
    lost = pulled - won
    # Each loss is at least 1; a long sum may have lost some digits.
    plausible = (state.losses >= 0.999 * lost) & (state.losses <= lost / LEAST_CHANCE)
    if state.bandit == EXP3 and not plausible.all():
        raise ArgumentError("losses must be at least 1 for each round that was not won")
