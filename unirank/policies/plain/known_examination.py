"""Counts by item and position, for policies that know the examination of the positions."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.options import Examination
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import Draws, RoundRng
from unirank.policies.known_examination.state import checked_examination


class KnownExamination(PlainPolicy):
    """Counts clicks and displays of each item at each position."""

    examination: Examination  # kappa

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        checked = checked_examination(options["examination"], self.n_positions)
        return {**options, "examination": checked}

    def start(self) -> None:
        self.clicked = np.zeros((self.n_items, self.n_positions), np.int64)
        self.shown = np.zeros((self.n_items, self.n_positions), np.int64)

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        for position, item in enumerate(ranking.tolist()):
            self.shown[item, position] += 1
            self.clicked[item, position] += clicks[position]


class WithOpening(KnownExamination):
    """Shows each item once at each position in the first n_items rounds, then what it chooses."""

    def start(self) -> None:
        super().start()
        self.given = 0  # rounds

    def rank(self, rng: RoundRng) -> Sequence[int]:
        t = self.given
        self.given += 1
        if t < self.n_items:
            return [(t + position) % self.n_items for position in range(self.n_positions)]
        return self.choose(t, rng.draws)

    def choose(self, t: int, draws: Draws) -> list[int]:
        """Return the ranking that follows t others, once the opening is over."""
        raise NotImplementedError

    def looks(self, item: int) -> float:
        """Return the expected number of times that users looked at the item."""
        looks = 0.0  # added one by one: `sum` would round in another way than compiled code
        for kappa, n in zip(self.examination, self.shown[item].tolist(), strict=True):
            looks += kappa * n
        return looks

    @property
    def in_opening(self) -> bool:
        """Whether the last ranking belongs to the opening."""
        return self.given <= self.n_items
