"""What a click model is: it draws clicks, and gives the probability of any vector of clicks."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from .randomness import Rng


def happens(event: bool, probability: float) -> float:
    return probability if event else 1 - probability


@dataclass(frozen=True)
class ClickModel(ABC):
    attraction: Sequence[float]

    @abstractmethod
    def clicks(self, ranking: Sequence[int], rng: Rng) -> list[bool]: ...

    @abstractmethod
    def probability(self, ranking: Sequence[int], clicks: Sequence[bool]) -> float: ...

    def expected_clicks(self, ranking: Sequence[int]) -> list[float]:
        expected = [0.0] * len(ranking)
        for clicks in product((False, True), repeat=len(ranking)):
            probability = self.probability(ranking, clicks)
            for position, clicked in enumerate(clicks):
                expected[position] += probability * clicked
        return expected

    def value(self, ranking: Sequence[int], objective: str) -> float:
        """Sum over all vectors of clicks of what each is worth."""
        return sum(
            self.probability(ranking, clicks) * worth(clicks, objective)
            for clicks in product((False, True), repeat=len(ranking))
        )


def worth(clicks: Sequence[bool], objective: str) -> float:
    if objective == "clicks":
        return sum(clicks)
    if True not in clicks:
        return 0.0
    return 1.0 if objective == "any-click" else 1 / (list(clicks).index(True) + 1)
