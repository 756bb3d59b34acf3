"""Memory of a round: which pair was under test, and the chance of its other order."""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled
from unirank.policies.match_rank.state import State
from unirank.policies.shared.number_memory import LITTLE, write_number, write_share

MEMORY = np.dtype([("slot", np.int32), ("other", np.int32), ("weight", np.float64)])


@compiled
def remember(state: State, memory: NDArray[np.uint8]) -> int:
    """Write the tested pair and its weight into `memory`; return the number of bytes."""
    now = state.now[0]
    first, second = (now.slot, now.other) if LITTLE else (now.other, now.slot)
    return write_share(memory, write_number(memory, 0, first + (second << 32)), now.weight)
