"""Click counts by item and position, and the opening, for policies that know the examination.

    examination_k   probability that users look at position k, nowhere increasing in k. It belongs
                    to the page, not to its items: measure it once, by showing random lists
    clicked_ik      clicks on item i at position k
    shown_ik        answered displays of item i at position k

The opening, rounds 1..L, shows each item once at each position. Late answers count like prompt
ones, so an item may have no answer yet after the opening.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.base.options import Examination
from unirank.policies.base.policy import Policy
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import LARGEST_ROUND
from unirank.policies.shared.opening import show_circle


def checked_examination(examination: ArrayLike | Iterable[Any], n_positions: int) -> list[float]:
    """Return the examination as a list; raise unless it is above 0 and nowhere increasing."""
    looks = arguments.probabilities("examination", examination, (n_positions,))
    if looks.min() <= 0:
        raise ArgumentError(f"examination must be above 0, got {looks.min():g}")
    if (np.diff(looks) > 0).any():
        order = np.argsort(-looks, kind="stable").tolist()
        raise ArgumentError(
            f"examination must not increase from position to position, got {looks.tolist()}: "
            f"number the positions in the order {order}"
        )
    return looks.tolist()


def check_counts(clicked: NDArray[np.int64], shown: NDArray[np.int64]) -> None:
    """Raise ArgumentError for counts that no run of rounds could give."""
    if shown.min() < 0 or shown.max() > 2**60:
        raise ArgumentError("shown must be counts")
    if clicked.min() < 0 or (clicked > shown).any():
        raise ArgumentError("clicked must be counts of at most shown")


class KnownExamination(Policy):
    """A policy with the option `examination`; its state has the counts `clicked` and `shown`."""

    examination: Examination

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        checked = checked_examination(options["examination"], self.n_positions)
        return {**options, "examination": checked}

    def counts(self) -> dict[str, NDArray[Any]]:
        """Return the fields that every state has, before the first round."""
        shape = (self.n_items, self.n_positions)
        return {
            "clicked": np.zeros(shape, np.int64),
            "shown": np.zeros(shape, np.int64),
            "examination": np.array(self.examination),
        }

    def statistics(self) -> dict[str, NDArray[Any]]:
        return {"clicked": self.state.clicked, "shown": self.state.shown}

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = self.initial_state()
        super().restore(statistics)
        check_counts(self.state.clicked, self.state.shown)


class WithOpening(KnownExamination):
    """A policy that starts with the opening; its state counts `rounds`, the rankings given."""

    def statistics(self) -> dict[str, NDArray[Any]]:
        return {**super().statistics(), "rounds": self.state.rounds}

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        super().restore(statistics)
        rounds = self.state.rounds[0]
        if not 0 <= rounds <= LARGEST_ROUND:
            raise ArgumentError(f"rounds must be in 0..{LARGEST_ROUND}, got {rounds}")
        if self.state.shown.max() > rounds:
            raise ArgumentError("shown must be counts of at most the number of rounds")


@compiled
def opens(state: Any, ranking: NDArray[np.int64]) -> bool:
    """Count a round; if it belongs to the opening, fill `ranking` and return True."""
    n_items = state.shown.shape[0]
    if state.rounds[0] < n_items:
        show_circle(state.rounds[0], n_items, ranking)
    state.rounds[0] += 1
    return in_opening(state)


@compiled
def in_opening(state: Any) -> bool:
    """Whether the last ranking belongs to the opening."""
    return state.rounds[0] <= state.shown.shape[0]


@compiled
def looks_at(state: Any, item: int) -> float:
    """Return the expected number of looks at an item.

    The sum starts afresh each time: added up answer by answer, its rounding errors would depend on
    the order of the answers, and a saved policy would not continue as the original does.
    """
    looks = 0.0
    for position in range(state.examination.size):
        looks += state.examination[position] * state.shown[item, position]
    return looks
