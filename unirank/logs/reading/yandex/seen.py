"""Which sessions were seen, to know when one comes back."""

import numpy as np
from numpy.typing import NDArray


class ScatteredError(Exception):
    """A session's lines do not stand together."""


class SeenSessions:
    """Codes of sessions, block by block, of which none may come twice.

    As long as they increase, only the last is kept; from then on, eight bytes for each. At worst
    two sessions have the same code, or a session comes late, and the log is read the other way.
    """

    def __init__(self) -> None:
        self._highest: np.uint64 | None = None  # of those in increasing order at the start
        self._others: list[NDArray[np.uint64]] = []

    def add(self, codes: NDArray[np.uint64]) -> None:
        """Take note of the sessions of a block, in their order."""
        if not codes.size:
            return
        late = self._highest is not None and codes.min() <= self._highest
        if late:
            raise ScatteredError
        if not self._others and (codes[1:] > codes[:-1]).all():
            self._highest = codes[-1]
            return
        require_different(codes)  # most scattered logs show it in their first block
        self._others.append(codes)

    def require_different(self) -> None:
        """At the end: no session of one block in another one."""
        if self._others:
            require_different(np.concatenate(self._others))


def require_different(codes: NDArray[np.uint64]) -> None:
    ordered = np.sort(codes)
    if (ordered[1:] == ordered[:-1]).any():
        raise ScatteredError
