"""Memories of consecutive rounds, packed: they become bytes of their own when asked for."""

import numpy as np
from numpy.typing import NDArray


class BatchMemories:
    """The memory of each round of a batch, for `update`. Most equal memories are stored once."""

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
        starts, written = 8 * starts, packed[: starts[-1] + (sizes[-1] + 7) // 8].tobytes()
        if not self.n_different:  # most batches are of one part
            self._starts, self._sizes, self._packed = starts, sizes.copy(), written
        else:
            self._starts = np.concatenate((self._starts, len(self._packed) + starts))
            self._sizes = np.concatenate((self._sizes, sizes))
            self._packed += written
        self.n_different += len(sizes)

    def __getitem__(self, number: int) -> bytes:
        start = self._starts[number]
        return self._packed[start : start + self._sizes[number]]

    def of(self, round_: int) -> bytes:
        """The memory of a round."""
        return self[self.which[round_ - self.first]]
