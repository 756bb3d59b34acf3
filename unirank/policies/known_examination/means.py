"""What PBM-UCB and PBM-PIE share: the opening, and the attraction of an item from all positions.

    clicked_i, shown_i   sums over the positions k of clicked_ik and shown_ik
    looks_i              sum of examination_k shown_ik: how often item i was looked at, expected
    mean_i               clicked_i / looks_i: right on average, wherever the item was shown

A mean can be above 1, where an item was clicked more often than its positions are looked at. Rounds
1, 2, ..., L, the opening, show each item once at each position. Answers count alike whenever they
come; an item may therefore have none yet after the opening, and its policy says what that means.

`looks` is summed again after each answer, position by position: added up answer by answer, rounding
errors would depend on their order, and a policy that was saved would not go on as the original.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import LARGEST_ROUND
from unirank.policies.known_examination.state import KnownExamination
from unirank.policies.shared.opening import show_circle


@compiled
def opens(state: Any, ranking: NDArray[np.int64]) -> bool:
    """Count a round; if it is one of the opening, fill `ranking`."""
    n_items = state.n_shown.size
    if state.rounds[0] < n_items:
        show_circle(state.rounds[0], n_items, ranking)
    state.rounds[0] += 1
    return in_opening(state)


@compiled
def in_opening(state: Any) -> bool:
    """Whether the ranking last given was one of the opening."""
    return state.rounds[0] <= state.n_shown.size


@compiled
def count(state: Any, item: int, position: int, click: bool) -> None:
    state.shown[item, position] += 1
    state.clicked[item, position] += click
    state.n_shown[item] += 1
    state.n_clicked[item] += click


@compiled
def looks_at(state: Any, item: int) -> float:
    looks = 0.0
    for position in range(state.examination.size):
        looks += state.examination[position] * state.shown[item, position]
    return looks


class ExaminedMeans(KnownExamination):
    """A policy whose state has `rounds` and the sums `n_clicked` and `n_shown` of its counts."""

    def shared_state(self) -> dict[str, NDArray[Any]]:
        """The arrays that every such state has, before the first round."""
        shape = (self.n_items, self.n_positions)
        return {
            "clicked": np.zeros(shape, np.int64),
            "shown": np.zeros(shape, np.int64),
            "rounds": np.zeros(1, np.int64),
            "n_clicked": np.zeros(self.n_items, np.int64),
            "n_shown": np.zeros(self.n_items, np.int64),
            "order": np.arange(self.n_items),
            "examination": np.array(self.examination),
        }

    def refresh(self, item: int) -> None:
        """Put into the state what follows from the counts of an item."""
        raise NotImplementedError(f"{type(self).__name__} must define refresh()")

    def statistics(self) -> dict[str, NDArray[Any]]:
        return {**super().statistics(), "rounds": self.state.rounds}

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        super().restore(statistics)
        state = self.state
        if not 0 <= state.rounds[0] <= LARGEST_ROUND:
            raise ArgumentError(f"rounds must be in 0..{LARGEST_ROUND}, got {state.rounds[0]}")
        if state.shown.max() > state.rounds[0]:
            raise ArgumentError("shown must be counts of at most the number of rounds")
        state.n_clicked[:] = state.clicked.sum(axis=1)
        state.n_shown[:] = state.shown.sum(axis=1)
        for item in range(self.n_items):
            self.refresh(item)
