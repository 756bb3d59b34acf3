"""Memories of consecutive rounds, packed: they become bytes of their own when asked for."""

import numpy as np
from numpy.typing import NDArray


class BatchMemories:
    """What `update` needs of each round of a batch; most equal memories are held once."""

    def __init__(self, first: int, which: NDArray[np.int32]) -> None:
        self.first = first  # round
        self.which = which  # (n,) number of the memory of each round
        self.n_different = 0
        self._packed = b""
        self._starts = np.zeros(0, np.int64)  # in `_packed`, by number
        self._sizes = np.zeros(0, np.int64)

    def append(
        self, sizes: NDArray[np.int64], starts: NDArray[np.int64], packed: NDArray[np.uint64]
    ) -> None:
        """Add memories that begin at these numbers of `packed`, one behind the other."""
        if not len(sizes):
            return
        self._starts = np.append(self._starts, len(self._packed) + 8 * starts)
        self._sizes = np.append(self._sizes, sizes)
        self._packed += packed[: starts[-1] + (sizes[-1] + 7) // 8].tobytes()
        self.n_different += len(sizes)

    def __getitem__(self, number: int) -> bytes:
        start = self._starts[number]
        return self._packed[start : start + self._sizes[number]]

    def of(self, round_: int) -> bytes:
        """The memory of a round."""
        return self[self.which[round_ - self.first]]
