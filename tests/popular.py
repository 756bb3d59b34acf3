"""A policy as a user writes one: one file, in ordinary Python, which explains itself."""

from itertools import pairwise
from typing import Any

import numpy as np

from unirank.policies import PlainPolicy, registry
from unirank.policies.base.explanation import Belief, Example, Explanation, Pair, Try
from unirank.policies.base.leader import Leader

CURIOSITY = 0.1
ENOUGH = 3.0  # standard deviations


@registry.register("popular", lists="by click rate")
class Popular(PlainPolicy):
    """Shows what is clicked most, and in one of ten lists an item that is not on the page."""

    def start(self) -> None:
        self.clicked = np.zeros(self.n_items)
        self.shown = np.zeros(self.n_items)

    def rank(self, rng: Any) -> Any:  # type: ignore[override]
        ranking = self.by_rate()[: self.n_positions]
        if rng.random() < CURIOSITY:
            ranking[-1] = rng.choice(self.by_rate()[self.n_positions :])
        return ranking

    def update(self, ranking: Any, clicks: Any) -> None:  # type: ignore[override]
        self.shown[ranking] += 1
        self.clicked[ranking] += clicks

    def rates(self) -> Any:
        return (self.clicked + 1) / (self.shown + 2)

    def by_rate(self) -> Any:
        return np.argsort(-self.rates(), kind="stable")

    def explanation(self) -> Explanation:
        rates, order = self.rates(), self.by_rate().tolist()
        spread = np.sqrt(rates * (1 - rates) / (self.shown + 2))
        names = [self.items[number] for number in order]
        page, below = names[: self.n_positions], names[self.n_positions :]
        pairs = []
        for place, (i, j) in enumerate(pairwise(order)):
            z = (rates[i] - rates[j]) / np.hypot(spread[i], spread[j])
            pairs.append(
                Pair(
                    names[place],
                    names[place + 1],
                    wins=float(self.clicked[i]),
                    comparisons=float(self.clicked[i] + self.clicked[j]),
                    strength=float(z / ENOUGH),
                    decided=bool(z > ENOUGH),
                    on_page=place + 1 < self.n_positions,
                )
            )
        examples = tuple(Example(f"{item} is last", CURIOSITY / len(below)) for item in below)
        return Explanation(
            order=Leader(tuple((item,) for item in page), tuple(below)),
            attraction=tuple(
                Belief(self.items[n], rates[n], rates[n] - 2 * spread[n], rates[n] + 2 * spread[n])
                for n in order
            ),
            pairs=tuple(pairs[: self.n_positions]),
            tries=(
                Try("The order now", "Most visitors see what was liked so far.", 1 - CURIOSITY),
                Try("A stranger", "Somebody has to see it first.", CURIOSITY, examples),
            ),
            about_order="Liked most, shown first.",
            about_pairs="Each item is compared with the next by its share of clicks.",
        )
