"""BatchRank in ordinary Python: Algorithms 1 to 3 of the paper.

Zoghi, Tunys, Ghavamzadeh, Kveton, Szepesvari and Wen, "Online Learning to Rank in Stochastic Click
Models", ICML 2017. `unirank/policies/batch_rank` is the compiled edition.
"""

from math import ceil, comb, factorial, log, perm
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.options import Horizon
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import Draws, RoundRng
from unirank.policies.plain.indices import budget, kl_ucb


class Batch(TypedDict):
    """Items that compete for some neighbouring positions, in one stage."""

    number: int  # its own: a batch that starts a stage gets a new one
    stage: int
    n_positions: int
    items: list[int]  # those with one view more than the fewest come first


@policies.registry.register_plain(policies.BatchRank)
class BatchRank(PlainPolicy):
    """Tests items in batches, and splits a batch where its items differ for sure.

    Stage l of a batch gives each of its items n_l = ceil(16 4^l ln T) views: each round shows the
    least viewed items of the batch in random order. Then U and L are the KL-UCB bounds of the click
    rates. If the s items of largest L are above U of all others, the batch is split there and both
    parts start at stage 0. Otherwise items that are certainly too bad for every position of the
    batch are dropped, and stage l + 1 starts.
    """

    horizon: Horizon
    remembers = ("shown_batches",)  # the batches of a round; its clicks may come late

    def start(self) -> None:
        self.clicks = np.zeros(self.n_items, np.int64)  # in the stage of the item's batch
        self.views = np.zeros(self.n_items, np.int64)
        self.n_batches = 0  # numbers given to batches so far
        self.batches = [self.new_batch(list(range(self.n_items)), self.n_positions, 0)]

    def new_batch(self, items: list[int], n_positions: int, stage: int) -> Batch:
        self.clicks[items] = 0
        self.views[items] = 0
        self.n_batches += 1
        return Batch(number=self.n_batches, stage=stage, n_positions=n_positions, items=items)

    def seen_and_fresh(self, batch: Batch) -> tuple[list[int], list[int]]:
        """Split the items into those with more than the fewest views, and the others."""
        fewest = self.views[batch["items"]].min()
        seen = [item for item in batch["items"] if self.views[item] > fewest]
        return seen, batch["items"][len(seen) :]

    def rank(self, rng: RoundRng) -> list[int]:
        self.shown_batches = [batch["number"] for batch in self.batches]
        self._n_lists = [self.n_lists(batch) for batch in self.batches]
        ranking: list[int] = []
        for batch in self.batches:
            ranking += self.show(batch, len(ranking), rng.draws)
        return ranking

    def show(self, batch: Batch, first: int, draws: Draws) -> list[int]:
        """Return the list of one batch, whose first position is `first`."""
        seen, fresh = self.seen_and_fresh(batch)
        size = batch["n_positions"]
        n_fillers = size - len(fresh)
        if n_fillers <= 0:
            shuffle_front(fresh, size, draws, first)
            shown = fresh[:size]
        else:  # all fresh items, and some seen ones in the places left
            shuffle_front(seen, n_fillers, draws, first + len(fresh))
            shown = fresh + seen[:n_fillers]
            shuffle_front(shown, size, draws, self.n_positions + first)
        batch["items"] = seen + fresh
        return shown

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        first, after = 0, []
        for batch in self.batches:
            end = first + batch["n_positions"]
            after.append([batch])
            if batch["number"] in self.shown_batches and len(batch["items"]) > 1:
                self.count(batch, ranking[first:end].tolist(), clicks[first:end].tolist())
                n = stage_length(batch["stage"], self.horizon)
                if self.views[batch["items"]].min() == n:
                    after[-1] = self.end_stage(batch, n)
            first = end
        self.batches = [batch for parts in after for batch in parts]

    def count(self, batch: Batch, shown: list[int], clicks: list[bool]) -> None:
        """Count clicks and views of the items with the fewest views; others were fillers."""
        seen, fresh = self.seen_and_fresh(batch)
        items, n_seen = batch["items"], len(seen)
        for item, click in zip(shown, clicks, strict=True):
            if item in fresh:
                self.clicks[item] += click
                self.views[item] += 1
                slot = items.index(item)
                items[slot], items[n_seen] = items[n_seen], item
                n_seen += 1

    def end_stage(self, batch: Batch, n: int) -> list[Batch]:
        """Return what a batch becomes when all its items have n views."""
        items, size = batch["items"], batch["n_positions"]
        allowed = budget(self.horizon, 3.0)
        mean = {i: int(self.clicks[i]) / n for i in items}
        upper = {i: kl_ucb(mean[i], n, allowed) for i in items}
        lower = {i: min(mean[i], 1 - kl_ucb(1 - mean[i], n, allowed)) for i in items}
        d = sorted(items, key=lambda i: -lower[i])
        cuts = [s for s in range(1, size) if lower[d[s - 1]] > max(upper[i] for i in d[s:])]
        if not cuts:
            kept = [i for i in items if upper[i] >= lower[d[size - 1]]]
            return [self.new_batch(kept, size, batch["stage"] + 1)]
        s = max(cuts)
        top = [i for i in items if i in d[:s]]
        rest = [i for i in items if i in d[s:]]
        return [self.new_batch(top, s, 0), self.new_batch(rest, size - s, 0)]

    def n_lists(self, batch: Batch) -> int:
        """Return how many lists of this batch are equally likely."""
        seen, fresh = self.seen_and_fresh(batch)
        size = batch["n_positions"]
        if len(fresh) >= size:
            return perm(len(fresh), size)
        return comb(len(seen), size - len(fresh)) * factorial(size)

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        """Return the probability of the list just shown."""
        chance = 1.0
        for n_lists in self._n_lists:
            chance /= n_lists
        return chance


def stage_length(stage: int, horizon: int) -> int:
    """Return n_l, how many views each item gets in stage l."""
    gap = 2.0**-stage
    return max(1, ceil(16 * gap**-2 * log(horizon)))


def shuffle_front(items: list[int], n: int, draws: Draws, first_draw: int) -> None:
    """Bring n random items to the front of a list, by Fisher-Yates."""
    for place in range(n):
        chosen = place + draws.below(first_draw + place, len(items) - place)
        items[place], items[chosen] = items[chosen], items[place]
