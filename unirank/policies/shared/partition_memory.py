"""Memory of a round in which an ordered partition was played: bytes kept until its clicks come.

    shown        the ranking, then the members of its last subset that found no place
    shown_ends   position -> where in `shown` the subset of that position ends

`Policy` keeps the ranking itself; `played_memory` makes the rest.
"""

import numpy as np
from numpy.typing import NDArray


def played_memory(shown: NDArray[np.int64], shown_ends: NDArray[np.int64]) -> bytes:
    return shown_ends.tobytes() + shown[len(shown_ends) : shown_ends[-1]].tobytes()


def recall_played(
    ranking: NDArray[np.int64],
    memory: bytes,
    shown: NDArray[np.int64],  # out
    shown_ends: NDArray[np.int64],  # out
) -> None:
    n_positions = len(ranking)
    played = np.frombuffer(memory, np.int64)
    shown_ends[:] = played[:n_positions]
    shown[:n_positions] = ranking
    shown[n_positions : shown_ends[-1]] = played[n_positions:]


def could_be_played(ranking: NDArray[np.int64], memory: bytes, n_items: int) -> bool:
    """Whether some partition of the items has this ranking and memory."""
    n_positions = len(ranking)
    played = np.frombuffer(memory, np.int64)
    ends, unseen = played[:n_positions], played[n_positions:]
    shown = np.concatenate((ranking, unseen))
    return (
        len(ends) == n_positions
        and bool(np.all(ends > np.arange(n_positions)))
        and bool(np.all(np.diff(ends) >= 0))
        and all(end >= n_positions or ends[end] > end for end in ends)
        and len(set(shown.tolist())) == len(shown) == ends[-1]
        and bool(np.all((shown >= 0) & (shown < n_items)))
    )
