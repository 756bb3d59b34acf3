"""The policy that learns nothing: every ranking is as likely as any other, at every round."""

from collections.abc import Sequence

from .randomness import POLICY, Rng, shuffled_prefix


class RandomTwin:
    def __init__(self, n_items: int, n_positions: int, *, seed: int, game: int = 0) -> None:
        self.n_items, self.n_positions = n_items, n_positions
        self.seed, self.game, self.round = seed, game, 0

    def rank(self) -> list[int]:
        self.round += 1
        rng = Rng(self.seed, self.game, POLICY, self.round)
        items = list(range(self.n_items))
        return shuffled_prefix(items, 0, self.n_positions, rng)[: self.n_positions]

    def update(self, ranking: Sequence[int], clicks: Sequence[bool]) -> None:
        pass
