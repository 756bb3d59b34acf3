"""MatchRank among some of its items: what a round there, and an answer, mean for the whole."""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled
from unirank.policies.match_rank.memory import remember
from unirank.policies.match_rank.state import State


@compiled
def leave(
    state: State, restricted: State, numbers: NDArray[np.int64], memory: NDArray[np.uint8]
) -> int:
    """Count the round just ranked among these items; write its memory, and return the length."""
    now = restricted.now[0]
    state.now[0].rounds = now.rounds
    now.other = numbers[now.other] if now.slot > 0 else 0
    return remember(restricted, memory)


@compiled
def learn_too(
    state: State, kept: State, local: NDArray[np.int64], ranking: NDArray[np.int64]
) -> None:
    """Copy the pair under test, of which `update` has just learnt, into a kept state."""
    slot = state.now[0].slot
    if slot == 0:
        return
    here = ranking[slot - 1]
    other = ranking[slot] if slot < ranking.size else state.now[0].other
    i, j = local[here], local[other]
    if i < 0 or j < 0:
        return
    kept.gain[i, j], kept.gain[j, i] = state.gain[here, other], state.gain[other, here]
    kept.spread[i, j] = kept.spread[j, i] = state.spread[here, other]
    kept.odds[i, j], kept.odds[j, i] = state.odds[here, other], state.odds[other, here]
