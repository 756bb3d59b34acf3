"""Many lists at once, chosen in one compiled loop."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.batch_memories import BatchMemories
from unirank.policies.base.kernels import SEEN_BITS, batch_server_for

if TYPE_CHECKING:
    from unirank.policies.base.policy import Policy

ROWS = 1024  # rounds that one call of the loop serves


class Chosen(NamedTuple):
    """Consecutive rounds, a row each."""

    rankings: NDArray[np.int64]  # (n, n_positions) item numbers
    chances: NDArray[np.float64]  # (n,)
    memories: BatchMemories


def choose(policy: "Policy", first: int, n: int) -> Chosen:
    """Choose the lists of n rounds, from the first on."""
    if policy._serve_many is None:
        policy._serve_many = batch_server_for(type(policy))
    rankings, chances = np.empty((n, policy.n_positions), np.int64), np.empty(n)
    words = policy._memory.view(np.uint64)
    sizes, starts = np.empty(ROWS, np.int64), np.empty(ROWS, np.int64)
    packed, which = np.empty(ROWS * len(words), np.uint64), np.empty(n, np.int32)
    memories = BatchMemories(first, which)
    done = 0
    while done < n:
        rows = slice(done, min(done + ROWS, n))
        seen = np.full(2**SEEN_BITS, -1)
        room = policy._memory, words, which[rows], sizes, starts, packed, seen
        served, n_new = policy._serve_many(
            policy.state, policy._key, memories.first + done, rankings[rows], chances[rows], *room
        )
        if served < rows.stop - done:
            policy.grow()
        if done:
            which[done : done + served] += memories.n_different
        memories.append(sizes[:n_new], starts[:n_new], packed)
        done += served
    return Chosen(rankings, chances, memories)
