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
