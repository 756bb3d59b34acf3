"""What the policies share that are told how much people look at each position.

    examination_k   probability that position k is looked at, by decreasing k: of the page, not of
                    its items, so that it can be measured once (by showing random lists) and reused
    clicked_ik      clicks on item i at position k
    shown_ik        times that item i was shown, and answered, at position k

Any two answers can be counted in any order, so late ones need no memory.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.base.options import Examination
from unirank.policies.base.policy import Policy


def checked(examination: ArrayLike | Iterable[Any], n_positions: int) -> list[float]:
    """Return the examination of the positions: above 0 and nowhere increasing."""
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
    """Refuse counts that no run of rounds could have left."""
    if shown.min() < 0 or shown.max() > 2**60:
        raise ArgumentError("shown must be counts")
    if clicked.min() < 0 or (clicked > shown).any():
        raise ArgumentError("clicked must be counts of at most shown")


class KnownExamination(Policy):
    """A policy with the option `examination`; its state has the counts `clicked` and `shown`."""

    examination: Examination

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        return {**options, "examination": checked(options["examination"], self.n_positions)}

    def statistics(self) -> dict[str, NDArray[Any]]:
        return {"clicked": self.state.clicked, "shown": self.state.shown}

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = self.initial_state()
        super().restore(statistics)
        check_counts(self.state.clicked, self.state.shown)
