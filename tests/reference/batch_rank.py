"""BatchRank, read off Algorithms 1 to 3 of the paper as our specification states them."""

from collections.abc import Sequence
from math import ceil, comb, factorial, log, perm

from unirank.plain.indices import budget, kl_ucb

from .randomness import POLICY, Rng


class Batch:
    """One stage of one batch: its positions, from 1, its items, and what was counted of them."""

    def __init__(self, first: int, last: int, items: list[int], stage: int) -> None:
        self.first, self.last, self.items, self.stage = first, last, items, stage
        self.length = last - first + 1
        self.clicks = dict.fromkeys(items, 0)
        self.views = dict.fromkeys(items, 0)

    @property
    def final(self) -> bool:
        return self.length == len(self.items) == 1

    def seen_and_fresh(self) -> tuple[list[int], list[int]]:
        """Split the items into those with more than the fewest views, and the others."""
        fewest = min(self.views.values())
        seen = [item for item in self.items if self.views[item] > fewest]
        fresh = [item for item in self.items if self.views[item] == fewest]
        assert seen + fresh == self.items
        return seen, fresh

    def n_lists(self) -> int:
        """Return how many lists are as likely as the one shown."""
        seen, fresh = self.seen_and_fresh()
        if len(fresh) >= self.length:
            return perm(len(fresh), self.length)
        return comb(len(seen), self.length - len(fresh)) * factorial(self.length)


def draw(items: list[int], n: int, rng: Rng, first_draw: int) -> None:
    """Bring n random items to the front of a list, by Fisher-Yates."""
    for place in range(n):
        chosen = place + rng.below(first_draw + place, len(items) - place)
        items[place], items[chosen] = items[chosen], items[place]


class BatchRankTwin:
    def __init__(
        self, n_items: int, n_positions: int, *, seed: int, game: int = 0, horizon: int
    ) -> None:
        self.n_items, self.n_positions = n_items, n_positions
        self.seed, self.game, self.round = seed, game, 0
        self.horizon = horizon
        self.batches = [Batch(1, n_positions, list(range(n_items)), 0)]
        self.shown: dict[int, list[Batch]] = {}

    def stage_length(self, stage: int) -> int:
        gap = 2.0**-stage
        return max(1, ceil(16 * gap**-2 * log(self.horizon)))

    def rank(self) -> list[int]:
        self.round += 1
        rng = Rng(self.seed, self.game, POLICY, self.round)
        ranking: list[int] = []
        self.propensity = 1.0
        for batch in self.batches:
            self.propensity /= batch.n_lists()
            ranking += self._show(batch, rng)
        self.shown[self.round] = list(self.batches)
        return ranking

    def _show(self, batch: Batch, rng: Rng) -> list[int]:
        seen, fresh = batch.seen_and_fresh()
        position = batch.first - 1
        n_fillers = batch.length - len(fresh)
        if n_fillers <= 0:
            draw(fresh, batch.length, rng, position)
            shown = fresh[: batch.length]
        else:
            draw(seen, n_fillers, rng, position + len(fresh))
            shown = fresh + seen[:n_fillers]
            draw(shown, batch.length, rng, self.n_positions + position)
        batch.items = seen + fresh
        return shown

    def update(
        self, ranking: Sequence[int], clicks: Sequence[bool], round: int | None = None
    ) -> None:
        shown = self.shown.pop(self.round if round is None else round)
        for batch in [batch for batch in self.batches if batch in shown and not batch.final]:
            self._count(batch, ranking, clicks)
            n = self.stage_length(batch.stage)
            if min(batch.views.values()) == n:
                place = self.batches.index(batch)
                self.batches[place : place + 1] = self._next(batch, n)

    def _count(self, batch: Batch, ranking: Sequence[int], clicks: Sequence[bool]) -> None:
        fewest = min(batch.views.values())
        n_seen = sum(views > fewest for views in batch.views.values())
        for position in range(batch.first - 1, batch.last):
            item = ranking[position]
            if batch.views[item] == fewest:
                batch.clicks[item] += clicks[position]
                batch.views[item] += 1
                slot = batch.items.index(item)
                batch.items[slot], batch.items[n_seen] = batch.items[n_seen], item
                n_seen += 1

    def _next(self, batch: Batch, n: int) -> list[Batch]:
        """Return what a batch becomes at the end of its stage."""
        allowance = budget(self.horizon, 3.0)
        mean = {item: batch.clicks[item] / n for item in batch.items}
        high = {item: kl_ucb(mean[item], n, allowance) for item in batch.items}
        low = {i: min(mean[i], 1 - kl_ucb(1 - mean[i], n, allowance)) for i in batch.items}
        d = sorted(batch.items, key=lambda item: -low[item])
        s = 0
        for k in range(1, batch.length):
            if low[d[k - 1]] > max(high[item] for item in d[k:]):
                s = k
        if s == 0:
            kept = [i for i in batch.items if high[i] >= low[d[batch.length - 1]]]
            return [Batch(batch.first, batch.last, kept, batch.stage + 1)]
        top = [item for item in batch.items if item in d[:s]]
        rest = [item for item in batch.items if item in d[s:]]
        middle = batch.first + s
        return [Batch(batch.first, middle - 1, top, 0), Batch(middle, batch.last, rest, 0)]
