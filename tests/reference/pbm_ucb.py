"""PBM-UCB, index by index."""

from math import inf, log, sqrt

from .examined_means import ExaminedMeansTwin
from .randomness import Rng


class PBMUCBTwin(ExaminedMeansTwin):
    def choose(self, t: int, rng: Rng) -> list[int]:
        return self.largest([self.index(item, t) for item in range(self.n_items)], rng)

    def index(self, item: int, t: int) -> float:
        clicked, shown, looks = sum(self.clicked[item]), sum(self.shown[item]), self.looks(item)
        if shown == 0:
            return inf
        d = (1 + self.exploration) * log(t)
        return clicked / looks + sqrt(shown / looks) * sqrt(d / (2 * looks))
