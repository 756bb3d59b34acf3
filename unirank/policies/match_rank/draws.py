"""Lists that MatchRank might show in a round, drawn again.

Draws have addresses of their own (seed, round, RESAMPLING): they are reproducible, and independent
of what is shown.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import RESAMPLING, Rng, at_round, stream_key
from unirank.policies.match_rank.guard import overrule
from unirank.policies.match_rank.model import sample
from unirank.policies.match_rank.state import State


@compiled
def draw_list(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    """Draw the list of a round, before one of its pairs is put under test."""
    state.now[0].rounds += 1  # another page than the last one
    sample(state, rng, ranking)
    overrule(state, ranking)


@compiled
def fill_lists(
    state: State, key: np.uint64, lists: NDArray[np.int64], ranking: NDArray[np.int64]
) -> None:
    for n in range(lists.shape[0]):
        draw_list(state, at_round(key, n), ranking)
        for position in range(ranking.size):
            lists[n, position] = ranking[position]


def lists_again(state: State, seed: int, round_: int, n_draws: int) -> NDArray[np.int64]:
    """Draw (n_draws, n_positions) lists of the model; `state` is a copy to draw from."""
    lists = np.empty((n_draws, state.step.size), np.int64)
    fill_lists(state, stream_key(seed, round_, RESAMPLING), lists, np.empty_like(lists[0]))
    return lists
