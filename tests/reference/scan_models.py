"""Users who scan from the top, click what attracts them, and may leave after each item."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from .click_model import ClickModel, happens
from .randomness import Rng


class ScanModel(ClickModel):
    @abstractmethod
    def goes_on(self, item: int, position: int, clicked: bool) -> float:
        """Return the probability to look at the next item."""

    def clicks(self, ranking: Sequence[int], rng: Rng) -> list[bool]:
        clicks = [False] * len(ranking)
        for position, item in enumerate(ranking):
            clicks[position] = rng.uniform(item) < self.attraction[item]
            goes_on = self.goes_on(item, position, clicks[position])
            if not rng.uniform(len(self.attraction) + item) < goes_on:
                break
        return clicks

    def probability(self, ranking: Sequence[int], clicks: Sequence[bool]) -> float:
        """Sum over the last position looked at, which is hidden."""
        total = 0.0
        for last in range(len(ranking)):
            if any(clicks[last + 1 :]):
                continue
            path = 1.0
            for position, item in enumerate(ranking[: last + 1]):
                clicked = clicks[position]
                path *= happens(clicked, self.attraction[item])
                if position + 1 < len(ranking):
                    path *= happens(position < last, self.goes_on(item, position, clicked))
            total += path
        return total


@dataclass(frozen=True)
class CM(ScanModel):
    def goes_on(self, item: int, position: int, clicked: bool) -> float:
        return 0.0 if clicked else 1.0


@dataclass(frozen=True)
class DCM(ScanModel):
    stop_after_click: Sequence[float]

    def goes_on(self, item: int, position: int, clicked: bool) -> float:
        return 1 - self.stop_after_click[position] if clicked else 1.0


@dataclass(frozen=True)
class DBN(ScanModel):
    satisfaction: Sequence[float]
    abandon: float

    def goes_on(self, item: int, position: int, clicked: bool) -> float:
        return (1 - self.satisfaction[item] if clicked else 1.0) * (1 - self.abandon)


@dataclass(frozen=True)
class CCM(ScanModel):
    continue_no_click: float
    continue_click_not_relevant: float
    continue_click_relevant: float

    def goes_on(self, item: int, position: int, clicked: bool) -> float:
        if not clicked:
            return self.continue_no_click
        relevance = self.attraction[item]
        not_relevant = self.continue_click_not_relevant * (1 - relevance)
        return not_relevant + self.continue_click_relevant * relevance
