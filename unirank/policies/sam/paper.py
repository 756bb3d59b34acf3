"""SAM adapted to rankings: our adaptation of a matching algorithm, not the algorithm of its paper.

Sentenac, Yi, Calauzenes, Perchet and Vojnovic, "Pure Exploration and Regret Minimization in
Matching Bandits", ICML 2021, pair up items; `unirank.lab.SimpleAdaptiveMatching` is their
algorithm. Leave this adaptation out of comparisons that claim to be faithful. Positions must be
given by decreasing examination; clicks are position-based. No regret bound is known.

Late answers: an answer counts for the turn that it shows, in the cycle now open. A cluster ignores
the answer if that turn is already answered, or if the cluster was cut meanwhile so that the list is
no turn any more. A turn that is never answered is made good by the next of its kind.
"""

from itertools import pairwise
from math import log, sqrt
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.base.facts import registry
from unirank.policies.base.options import Horizon
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import RoundRng

MOST_ROUNDS = 2**60


class Cluster(TypedDict):
    """Items that share a block of positions and take turns in it."""

    members: list[int]
    turn: int  # the one to play next
    answered: dict[int, dict[int, int]]  # turn of the open cycle -> clicks by item


@registry.register(
    "sam",
    paper="Sentenac et al., ICML 2021 (adapted to rankings)",
    clicks="position-based",
    position_order=True,
    lists="one, by turns",
    regret="none known",
)
class SAM(PlainPolicy):
    """Lets items take turns in blocks of positions until their click rates differ.

    In turn r the members of a cluster stand in the order a_r, a_r+1, ..., a_r-1. A cycle is one
    turn for each member. When a cycle is answered, the cluster is cut between neighbours by click
    rate whose intervals, rate +- sqrt(ln T / rounds), do not meet. No random numbers are drawn.

    This is our adaptation of SAM; `unirank.lab.SimpleAdaptiveMatching` is the algorithm of the
    paper. Do not use it for pages of unknown life, nor where many items tie.

    Examples
    --------
    >>> policy = SAM(items=["a", "b", "c"], n_positions=2, horizon=1000)
    >>> for _ in range(500):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks=[item for item in shown.items if item == "c"])
    >>> policy.clusters
    (('c',), ('a', 'b'))
    """

    horizon: Horizon

    def start(self) -> None:
        self.clicked = np.zeros(self.n_items, np.int64)  # in complete cycles
        self.rounds = np.zeros(self.n_items, np.int64)
        self.blocks = [new_cluster(list(range(self.n_items)))]

    def displayed(self) -> list[tuple[int, Cluster]]:
        """Return the clusters that reach the page, with their first positions."""
        found, start = [], 0
        for cluster in self.blocks:
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
                self._cut(cluster)

    def count_cycle(self, cluster: Cluster) -> None:
        self.rounds[cluster["members"]] += len(cluster["members"])
        for clicks in cluster["answered"].values():
            for item, click in clicks.items():
                self.clicked[item] += click
        cluster["answered"] = {}

    def _cut(self, cluster: Cluster) -> None:
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
            place = self.blocks.index(cluster)
            self.blocks[place : place + 1] = [new_cluster(part) for part in parts]

    @property
    def clusters(self) -> tuple[tuple[int | str, ...], ...]:
        """The clusters, best first, as item ids."""
        return tuple(tuple(self.items[i] for i in one["members"]) for one in self.blocks)

    def from_compiled(self, statistics: dict[str, NDArray[Any]]) -> dict[str, Any]:
        order, pending = statistics["order"].tolist(), statistics["pending"].tolist()
        blocks = []
        cuts = [*statistics["starts"].tolist(), self.n_items]
        for (start, end), turn in zip(pairwise(cuts), statistics["turns"].tolist(), strict=True):
            turns = np.flatnonzero(statistics["answered"][start:end]).tolist()
            answered: dict[int, dict[int, int]] = {one: {} for one in turns}
            if turns:  # which of the answered turns a click belongs to makes no difference
                answered[turns[0]] = {i: pending[i] for i in order[start:end]}
            blocks.append(Cluster(members=order[start:end], turn=turn, answered=answered))
        counts = {name: statistics[name].copy() for name in ("clicked", "rounds")}
        return {**counts, "blocks": blocks}

    def check_learnt(self, learnt: dict[str, Any]) -> None:
        blocks, clicked, rounds = learnt["blocks"], learnt["clicked"], learnt["rounds"]
        members = [item for block in blocks for item in block["members"]]
        if sorted(members) != list(range(self.n_items)) or not all(type(i) is int for i in members):
            raise ArgumentError(f"blocks must hold each of {self.n_items} items once")
        shapes = {(count.shape, count.dtype.str) for count in (clicked, rounds)}
        if shapes != {((self.n_items,), self.rounds.dtype.str)}:
            raise ArgumentError(f"clicked and rounds must be {self.n_items} counts")
        if not ((clicked >= 0) & (clicked <= rounds) & (rounds <= MOST_ROUNDS)).all():
            raise ArgumentError("clicked must be counts of at most one per round")
        for block in blocks:
            self._check_block(block, rounds)

    def _check_block(self, block: Cluster, rounds: NDArray[np.int64]) -> None:
        size, answered = len(block["members"]), block["answered"]
        if type(block["turn"]) is not int or not 0 <= block["turn"] < size:
            raise ArgumentError(f"turn must be in 0..{size - 1}, got {block['turn']!r:.40}")
        if not answered.keys() <= set(range(size)):
            raise ArgumentError("answered must be turns of the members of a block")
        counts = [pair for clicks in answered.values() for pair in clicks.items()]
        if len(answered) == size > 1 or any(
            item not in block["members"] or count not in range(size + 1) for item, count in counts
        ):
            raise ArgumentError("answered must be clicks of the open cycle of a block")
        if len(set(rounds[block["members"]].tolist())) > 1:
            raise ArgumentError("rounds must be equal within a block")

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        return 1.0


def new_cluster(members: list[int]) -> Cluster:
    return Cluster(members=members, turn=0, answered={})


def in_turn(cluster: Cluster, turn: int) -> list[int]:
    """Return the members in the order of this turn."""
    return cluster["members"][turn:] + cluster["members"][:turn]
