"""Malformed lines put between the others, to see that readers find them and go on.

Whether one stands before line n, and of which kind, are draws 0 and 1 of round n of (seed, game 1,
POLICY). The lines of the log stay as they are: a reader that skips what is malformed finds the same
sessions.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import POLICY, at_round, below, stream_key, uniform

N_KINDS = 4
TOO_MANY = 99  # fields


def broken_lines(separator: str, n_fields: int) -> list[bytes]:
    """One line of each kind: cut short, letters for numbers, too many fields, no UTF-8."""
    between = separator.encode()
    return [
        b"1\n",
        between.join([b"x"] * n_fields) + b"\n",
        between.join([b"1"] * TOO_MANY) + b"\n",
        between.join([b"\xff\xfe"] * n_fields) + b"\n",
    ]


@compiled
def draw_flaws(key: np.uint64, first: int, chance: float, kinds: NDArray[np.int64]) -> None:
    """Kind of the malformed line before each of these lines; -1 for none."""
    for line in range(kinds.size):
        rng = at_round(key, first + line)
        kinds[line] = below(rng, 1, N_KINDS) if uniform(rng, 0) < chance else -1


def with_flaws(seed: int, first: int, n_lines: int, share: float) -> NDArray[np.int64]:
    """Which line stands where: 0 to n_lines - 1, and n_lines + kind for a malformed one.

    `share` is that of the malformed lines among all: one line in ten is one before each ninth.
    """
    kinds = np.empty(n_lines, np.int64)
    key = np.uint64(stream_key(seed, 1, POLICY))
    draw_flaws(key, first, share / (1.0 - share), kinds)
    where = np.flatnonzero(kinds >= 0)
    return np.insert(np.arange(n_lines), where, n_lines + kinds[where])
