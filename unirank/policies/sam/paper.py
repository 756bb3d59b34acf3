"""SAM adapted to rankings, in ordinary Python: our adaptation, not the algorithm of the paper.

Sentenac, Yi, Calauzenes, Perchet and Vojnovic, "Pure Exploration and Regret Minimization in
Matching Bandits", ICML 2021. `unirank/policies/sam` is the compiled edition.
"""

from itertools import pairwise
from math import log, sqrt
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.options import Horizon
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import RoundRng


class Cluster(TypedDict):
    """Items that share a block of positions and take turns in it."""

    members: list[int]
    turn: int  # the one to play next
    answered: dict[int, dict[int, bool]]  # turn of the open cycle -> clicks by item


@policies.registry.register_plain(policies.SAM)
class SAM(PlainPolicy):
    """Lets items take turns in blocks of positions until their click rates differ.

    In turn r the members of a cluster stand in the order a_r, a_r+1, ..., a_r-1. A cycle is one
    turn for each member. When a cycle is answered, the cluster is cut between neighbours by click
    rate whose intervals, rate +- sqrt(ln T / rounds), do not meet.
    """

    horizon: Horizon

    def start(self) -> None:
        self.clicked = np.zeros(self.n_items, np.int64)  # in complete cycles
        self.rounds = np.zeros(self.n_items, np.int64)
        self.clusters = [new_cluster(list(range(self.n_items)))]

    def displayed(self) -> list[tuple[int, Cluster]]:
        """Return the clusters that reach the page, with their first positions."""
        found, start = [], 0
        for cluster in self.clusters:
            if start < self.n_positions:
                found.append((start, cluster))
            start += len(cluster["members"])
        return found

    def rank(self, rng: RoundRng) -> list[int]:
        ranking: list[int] = []
        for _, cluster in self.displayed():
            ranking += in_turn(cluster, cluster["turn"])
            cluster["turn"] = (cluster["turn"] + 1) % len(cluster["members"])
        return ranking[: self.n_positions]

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        for start, cluster in self.displayed():
            size = len(cluster["members"])
            block = ranking[start : start + size].tolist()
            for turn in range(size):
                if in_turn(cluster, turn)[: len(block)] == block:
                    of_block = dict(zip(block, clicks[start : start + size].tolist(), strict=True))
                    cluster["answered"].setdefault(turn, of_block)
            if len(cluster["answered"]) == size > 1:
                self.count_cycle(cluster)
                self.cut(cluster)

    def count_cycle(self, cluster: Cluster) -> None:
        self.rounds[cluster["members"]] += len(cluster["members"])
        for clicks in cluster["answered"].values():
            for item, click in clicks.items():
                self.clicked[item] += click
        cluster["answered"] = {}

    def cut(self, cluster: Cluster) -> None:
        """Split a cluster wherever two neighbours by click rate certainly differ."""
        rate = {i: int(self.clicked[i]) / int(self.rounds[i]) for i in cluster["members"]}
        width = {i: sqrt(log(self.horizon) / int(self.rounds[i])) for i in cluster["members"]}
        members = sorted(cluster["members"], key=lambda i: -rate[i])
        parts = [[members[0]]]
        for before, item in pairwise(members):
            if rate[item] + width[item] < rate[before] - width[before]:
                parts.append([])
            parts[-1].append(item)
        if len(parts) > 1:
            place = self.clusters.index(cluster)
            self.clusters[place : place + 1] = [new_cluster(part) for part in parts]

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        return 1.0


def new_cluster(members: list[int]) -> Cluster:
    return Cluster(members=members, turn=0, answered={})


def in_turn(cluster: Cluster, turn: int) -> list[int]:
    """Return the members in the order of this turn."""
    return cluster["members"][turn:] + cluster["members"][:turn]
