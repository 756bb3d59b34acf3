"""A restricted state that is kept between rounds, because gathering all its pairs takes long.

It learns what the policy learns. It is of use until other items are chosen from, or the policy has
another table of pairs.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

FEWEST_KEPT = 100  # items available for now: fewer are soon gathered, and others come next


@dataclass
class KeptState:
    state: Any  # item n of it is item numbers[n] of the policy
    numbers: NDArray[np.int64]
    local: NDArray[np.int64]  # the other way round; -1: an item that is not there
    pairs: NDArray[Any]  # the policy's table of pairs, which the state has copies from

    @classmethod
    def of(
        cls,
        state: Any,
        numbers: NDArray[np.int64],
        n_items: int,
        pairs: NDArray[Any],
        *,
        lasting: bool = False,  # the items are those that were not removed
    ) -> Self | None:
        """None if the state is quicker made again than kept."""
        if len(numbers) < FEWEST_KEPT and not lasting:
            return None
        local = np.full(n_items, -1)
        local[numbers] = np.arange(len(numbers))
        return cls(state, numbers, local, pairs)

    def has(self, numbers: NDArray[np.int64]) -> bool:
        """Return whether the state is restricted to these items."""
        return self.numbers is numbers or np.array_equal(self.numbers, numbers)
