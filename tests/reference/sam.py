"""SAM adapted to rankings: clusters take turns in blocks of positions; all sums from scratch."""

from collections.abc import Sequence
from itertools import pairwise
from math import log, sqrt


class Cluster:
    def __init__(self, members: Sequence[int]) -> None:
        self.members = list(members)
        self.next_turn = 0
        self.open: dict[int, dict[int, bool]] = {}  # answered turn -> clicks by item

    def turn(self, number: int) -> list[int]:
        return self.members[number:] + self.members[:number]


class SAMTwin:
    def __init__(self, n_items: int, n_positions: int, *, horizon: int) -> None:
        self.n_items, self.n_positions, self.horizon = n_items, n_positions, horizon
        self.clusters = [Cluster(range(n_items))]
        self.counted: list[tuple[Sequence[int], dict[int, bool]]] = []  # members, clicks by item

    def displayed(self) -> list[tuple[int, Cluster]]:
        """Return the clusters that reach the page, with their first positions."""
        found, start = [], 0
        for cluster in self.clusters:
            if start < self.n_positions:
                found.append((start, cluster))
            start += len(cluster.members)
        return found

    def rank(self) -> list[int]:
        ranking: list[int] = []
        for _, cluster in self.displayed():
            ranking += cluster.turn(cluster.next_turn)
            cluster.next_turn = (cluster.next_turn + 1) % len(cluster.members)
        return ranking[: self.n_positions]

    def update(self, ranking: Sequence[int], clicks: Sequence[bool]) -> None:
        for start, cluster in self.displayed():
            size = len(cluster.members)
            block = list(ranking[start : start + size])
            of_block = dict(zip(block, clicks[start : start + size], strict=True))
            for number in range(size):
                if cluster.turn(number)[: len(block)] == block and number not in cluster.open:
                    cluster.open[number] = of_block
            if len(cluster.open) == size:
                if size > 1:
                    self.counted += [(cluster.members, one) for one in cluster.open.values()]
                cluster.open = {}
                self.split(cluster)

    def rounds(self, item: int) -> int:
        return sum(item in members for members, _ in self.counted)

    def clicked(self, item: int) -> int:
        return sum(clicks.get(item, False) for _, clicks in self.counted)

    def split(self, cluster: Cluster) -> None:
        if len(cluster.members) == 1:
            return
        mean = {item: self.clicked(item) / self.rounds(item) for item in cluster.members}
        width = {i: sqrt(log(self.horizon) / self.rounds(i)) for i in cluster.members}
        members = sorted(cluster.members, key=lambda item: -(mean[item] + width[item]))
        parts = [[members[0]]]
        for before, item in pairwise(members):
            if mean[item] + width[item] < mean[before] - width[before]:
                parts.append([])
            parts[-1].append(item)
        if len(parts) > 1:
            place = self.clusters.index(cluster)
            self.clusters[place : place + 1] = [Cluster(part) for part in parts]
