"""SAM, Simple Adaptive Matching: every sum and every cut from scratch, every round."""

from collections.abc import Sequence
from math import log, sqrt


def round_robin(members: Sequence[int], round: int) -> list[tuple[int, int]]:
    """Return the pairs of one round of the circle method: the first stays, the others rotate."""
    others = list(members[1:])
    moved = round % len(others)
    circle = [members[0], *others[moved:], *others[:moved]]
    return [(circle[k], circle[-1 - k]) for k in range(len(circle) // 2)]


class Cluster:
    def __init__(self, members: Sequence[int]) -> None:
        self.members = list(members)
        self.pending: list[tuple[int, int, bool]] = []
        self.n_played = 0  # rounds of the present cycle

    def pairs(self) -> list[tuple[int, int]]:
        return round_robin(self.members, self.n_played)


class SimpleAdaptiveMatchingTwin:
    def __init__(self, n_items: int, *, horizon: int) -> None:
        self.n_items, self.horizon, self.round = n_items, horizon, 0
        self.clusters = [Cluster(range(n_items))]
        self.committed: list[tuple[int, int, bool]] = []  # every meeting of a full cycle

    def match(self) -> list[tuple[int, int]]:
        self.round += 1
        return [pair for cluster in self.clusters for pair in cluster.pairs()]

    def update(self, successes: Sequence[bool]) -> None:
        told = iter(successes)
        for cluster in self.clusters:
            for i, j in cluster.pairs():
                cluster.pending.append((i, j, next(told)))
            cluster.n_played += 1
            if cluster.n_played == len(cluster.members) - 1:
                self.committed += cluster.pending
                cluster.pending, cluster.n_played = [], 0
        if self.round >= self.n_items - 1:
            self.clusters = [part for c in list(self.clusters) for part in self.split(c)]

    def split(self, cluster: Cluster) -> list[Cluster]:
        if len(cluster.members) == 2:
            return [cluster]
        bounds = {item: self.bounds(item) for item in cluster.members}
        members = sorted(cluster.members, key=lambda item: -bounds[item][1])
        for r in range(2, len(members), 2):
            if bounds[members[r]][1] < bounds[members[r - 1]][0]:
                return [Cluster(members[:r]), Cluster(members[r:])]
        return [cluster]

    def bounds(self, item: int) -> tuple[float, float]:
        """Return the lower and the upper confidence bound of an item's share of successes."""
        fellows: set[int] = set()
        for cluster in self.clusters:
            fellows.update(cluster.members)
            if item in cluster.members:
                break
        results = [
            success
            for i, j, success in self.committed
            if (i == item and j in fellows) or (j == item and i in fellows)
        ]
        mean, width = sum(results) / len(results), sqrt(log(self.horizon) / len(results))
        return mean - width, mean + width
