"""Users who look at a position with a chance set by that position and by their last click."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

from .click_model import ClickModel, happens
from .randomness import Rng

NO_CLICK_YET = -1  # the last column of UBM's table


@dataclass(frozen=True)
class PBM(ClickModel):
    examination: Sequence[float]
    coupling: Literal["independent", "common"] = "independent"

    def click_probabilities(self, ranking: Sequence[int]) -> list[float]:
        return [self.examination[k] * self.attraction[item] for k, item in enumerate(ranking)]

    def clicks(self, ranking: Sequence[int], rng: Rng) -> list[bool]:
        draws = [0] * len(ranking) if self.coupling == "common" else ranking
        probabilities = self.click_probabilities(ranking)
        return [rng.uniform(draw) < p for draw, p in zip(draws, probabilities, strict=True)]

    def probability(self, ranking: Sequence[int], clicks: Sequence[bool]) -> float:
        pairs = list(zip(clicks, self.click_probabilities(ranking), strict=True))
        if self.coupling == "common":  # the shared number is below the clicked, above the others
            lowest_clicked = min((p for clicked, p in pairs if clicked), default=1.0)
            highest_skipped = max((p for clicked, p in pairs if not clicked), default=0.0)
            return max(0.0, lowest_clicked - highest_skipped)
        return prod(happens(clicked, p) for clicked, p in pairs)


@dataclass(frozen=True)
class UBM(ClickModel):
    examination_by_rank_and_last_click: Sequence[Sequence[float]]

    def click_probability(self, item: int, position: int, last_click: int) -> float:
        examination = self.examination_by_rank_and_last_click[position][last_click]
        return examination * self.attraction[item]

    def clicks(self, ranking: Sequence[int], rng: Rng) -> list[bool]:
        clicks: list[bool] = []
        last_click = NO_CLICK_YET
        for position, item in enumerate(ranking):
            clicks.append(rng.uniform(item) < self.click_probability(item, position, last_click))
            last_click = position if clicks[position] else last_click
        return clicks

    def probability(self, ranking: Sequence[int], clicks: Sequence[bool]) -> float:
        probability = 1.0
        for position, item in enumerate(ranking):
            earlier_clicks = [k for k in range(position) if clicks[k]]
            last_click = max(earlier_clicks, default=NO_CLICK_YET)
            click_probability = self.click_probability(item, position, last_click)
            probability *= happens(clicks[position], click_probability)
        return probability
