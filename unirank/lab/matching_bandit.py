"""Matching bandits: pair up items of unknown quality, round after round.

There are 2N items, and a matching pairs each with one other:

    P(pair i, j succeeds) = quality_i * quality_j

By the rearrangement inequality the best matching pairs the best item with the second best, the
third with the fourth, and so on.

SAM, Simple Adaptive Matching, is from Sentenac, Yi, Calauzenes, Perchet and Vojnovic, "Pure
Exploration and Regret Minimization in Matching Bandits", ICML 2021. It must know the horizon T.
Regret O(N log N / Delta log T). UniRank compares items by exchanging them, as SAM compares them by
meeting the same others. The policy `sam` is our adaptation of SAM to rankings.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import log, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.lab.bandit_games import RegretCurves, play_games
from unirank.policies.kernels.randomness import LARGEST_ROUND, USERS, Rng, address, uniform
from unirank.policies.kernels.shuffling import game_order

MOST_ITEMS = 4096  # each pair has a random number of its own

Pairs = tuple[tuple[int, int], ...]


class MatchingProblem:
    """Items 0 .. 2N - 1 whose pairs succeed with the product of their qualities.

    Parameters
    ----------
    quality
        In [0, 1], one number per item.

    Examples
    --------
    >>> MatchingProblem([0.9, 0.2, 0.8, 0.1]).best_matching
    ((0, 2), (1, 3))
    """

    def __init__(self, quality: "ArrayLike") -> None:
        self.quality = arguments.probabilities("quality", quality)
        self.n_items = even_count("len(quality)", len(self.quality))

    @property
    def best_matching(self) -> Pairs:
        """A matching with the largest expected number of successes."""
        order = np.argsort(-self.quality, kind="stable").tolist()
        return tuple(zip(order[::2], order[1::2], strict=True))

    @property
    def best_value(self) -> float:
        """Expected number of successes of the best matching."""
        return self.value(self.best_matching)

    def value(self, pairs: Iterable[Sequence[int]]) -> float:
        """Expected number of successes of a matching."""
        return sum(self.chance(i, j) for i, j in self.checked(pairs))

    def draw(
        self, pairs: Iterable[Sequence[int]], *, seed: int, game: int = 0, round: int = 1
    ) -> list[bool]:
        """Whether each pair succeeds in that round of that game of that seed."""
        game = arguments.integer("game", game, 0, arguments.LARGEST_SEED)
        round = arguments.integer("round", round, 1, LARGEST_ROUND)
        return self.drawn(self.checked(pairs), address(arguments.seed(seed), game, USERS, round))

    def drawn(self, pairs: Pairs, rng: Rng) -> list[bool]:
        """Whether each pair succeeds: random number i * 2N + j decides the pair i < j."""
        return [
            bool(uniform(rng, min(i, j) * self.n_items + max(i, j)) < self.chance(i, j))
            for i, j in pairs
        ]

    def chance(self, i: int, j: int) -> float:
        """Probability that this pair succeeds."""
        return float(self.quality[i] * self.quality[j])

    def renamed(self, order: NDArray[np.int64]) -> "MatchingProblem":
        """The same items under other numbers: item n is what was order[n]."""
        return MatchingProblem(self.quality[order])

    def __repr__(self) -> str:
        return f"MatchingProblem(quality={self.quality.tolist()})"

    def checked(self, pairs: Iterable[Sequence[int]]) -> Pairs:
        """Return the pairs; raise ArgumentError unless they hold each item once."""
        found: list[tuple[int, int]] = []
        for pair in pairs:
            if len(pair) != 2:
                raise ArgumentError(f"pairs must be pairs of items, got {pair!r}")
            i, j = (
                arguments.integer("pairs", item, 0, self.n_items - 1, "n_items-1=") for item in pair
            )
            found.append((i, j))
        items = [item for pair in found for item in pair]
        if sorted(items) != list(range(self.n_items)):
            raise ArgumentError(f"pairs must hold each of {self.n_items} items once, got {items}")
        return tuple(found)


def even_count(name: str, value: object) -> int:
    """Return `value` as a number of items, checked to be even: each item needs a partner."""
    n_items = arguments.integer(name, value, 2, MOST_ITEMS)
    if n_items % 2:
        raise ArgumentError(f"{name} must be even, got {n_items}")
    return n_items


class Cluster:
    """Items that are not told apart yet: they meet each other round-robin, by the circle method.

    In round r = 0 .. size - 2 of a cycle the first member stays and the others move on by r; the
    first meets the last, the second the last but one, and so on. A cycle has each pair once.
    """

    def __init__(self, members: list[int]) -> None:
        self.members = members
        self.results: list[tuple[int, int, bool]] = []  # pairs of the cycle under way
        self.n_played = 0  # rounds of that cycle
        self.is_tested = True  # whether a cut was looked for since the last full cycle

    def pairs(self) -> list[tuple[int, int]]:
        others = self.members[1:]
        circle = [self.members[0], *others[self.n_played :], *others[: self.n_played]]
        return [(circle[k], circle[-1 - k]) for k in range(len(circle) // 2)]


class SimpleAdaptiveMatching:
    """Pairs up items 0 .. n_items - 1, round after round.

    Clusters of even size, best first, together hold all items; at first there is one. Only full
    cycles of a cluster count. With

        A_i = the cluster of i and all better ones     k_i = rounds of i with members of A_i
        m_i = share of these that succeeded            width = sqrt(ln T / k_i)

    a cluster is sorted by decreasing m_i and cut at its first even place r where

        m + width of member r  <  m - width of member r - 1     (members counted from 0)

    A cycle that a cut interrupts does not count. One cut per cluster and round. Members start in
    the order of their numbers, and equal ones keep their order: no random numbers are drawn.

    Each `match()` must be answered by `update` before the next one.

    Parameters
    ----------
    n_items
        How many items, an even number.
    horizon
        Number of rounds to come.

    Examples
    --------
    >>> sam = SimpleAdaptiveMatching(4, horizon=1000)
    >>> sam.match()
    ((0, 3), (1, 2))
    >>> sam.update([True, False])
    >>> sam.match()
    ((0, 1), (2, 3))
    """

    def __init__(self, n_items: int, *, horizon: int) -> None:
        self.n_items = even_count("n_items", n_items)
        self.horizon = arguments.horizon("horizon", horizon)
        self.round = 0
        self.met = np.zeros((self.n_items, self.n_items), np.int64)  # rounds, in full cycles
        self.won = np.zeros((self.n_items, self.n_items), np.int64)  # those that succeeded
        self._clusters = [Cluster(list(range(self.n_items)))]
        self._is_answered = True

    @property
    def clusters(self) -> tuple[tuple[int, ...], ...]:
        """The clusters, best first: members of one are not yet told apart."""
        return tuple(tuple(cluster.members) for cluster in self._clusters)

    def match(self) -> Pairs:
        """The pairs of the next round."""
        if not self._is_answered:
            raise ArgumentError(f"match() must wait for update(): round {self.round} is unanswered")
        self.round += 1
        self._is_answered = False
        return tuple(pair for cluster in self._clusters for pair in cluster.pairs())

    def update(self, successes: Iterable[bool]) -> None:
        """Learn which pairs succeeded, in the order in which `match()` gave them.

        Parameters
        ----------
        successes
            Whether each pair of the last `match` succeeded.
        """
        if self._is_answered:
            raise ArgumentError("update() must follow match(), once for each round")
        told = list(successes)
        if len(told) != self.n_items // 2 or not all(one in (False, True) for one in told):
            raise ArgumentError(
                f"successes must be {self.n_items // 2} times True or False, got {told!r}"
            )
        self._is_answered = True
        waiting = iter(told)
        for cluster in self._clusters:
            cluster.results += [(i, j, bool(next(waiting))) for i, j in cluster.pairs()]
            cluster.n_played += 1
            if cluster.n_played == len(cluster.members) - 1:
                self._count(cluster)
        self._clusters = [
            part
            for place, cluster in enumerate(self._clusters)
            for part in ([cluster] if cluster.is_tested else self._parts(place, cluster))
        ]

    def _count(self, cluster: Cluster) -> None:
        """Count the cycle that a cluster has completed."""
        for i, j, success in cluster.results:
            self.met[i, j] += 1
            self.met[j, i] += 1
            self.won[i, j] += success
            self.won[j, i] += success
        cluster.results = []
        cluster.n_played = 0
        cluster.is_tested = False

    def _parts(self, place: int, cluster: Cluster) -> list[Cluster]:
        """Return the two parts of a cluster where its members can be told apart, or all of it."""
        cluster.is_tested = True
        members = cluster.members
        fellows = [i for better in self._clusters[: place + 1] for i in better.members]
        n_rounds = self.met[np.ix_(members, fellows)].sum(axis=1)
        if not n_rounds.all():
            return [cluster]
        shares = self.won[np.ix_(members, fellows)].sum(axis=1) / n_rounds
        means = dict(zip(members, shares, strict=True))
        width = sqrt(log(self.horizon) / n_rounds[0])  # all have met the same items equally often
        ranked = sorted(members, key=lambda item: -means[item])
        for r in range(2, len(ranked), 2):
            if means[ranked[r]] + width < means[ranked[r - 1]] - width:
                parts = [Cluster(ranked[:r]), Cluster(ranked[r:])]
                for part in parts:
                    part.is_tested = False  # each may be cut again in the next round
                return parts
        return [cluster]

    def __repr__(self) -> str:
        return (
            f"SimpleAdaptiveMatching(n_items={self.n_items}, horizon={self.horizon}, "
            f"round={self.round})"
        )


def play_matching(
    problem: MatchingProblem,
    *,
    n_rounds: int,
    n_games: int = 20,
    seed: int = 0,
    horizon: int | None = None,
    checkpoints: Iterable[int] | None = None,
) -> RegretCurves:
    """Regret of SAM in independent games, at `checkpoints`, log-spaced by default.

    Items are shuffled for each game.

    Parameters
    ----------
    problem
        The items and their qualities.
    horizon
        What SAM is told; by default n_rounds.

    Examples
    --------
    >>> curves = play_matching(MatchingProblem([0.9, 0.1, 0.2, 0.8]), n_rounds=100, n_games=2)
    >>> curves.regret.shape == (2, len(curves.rounds))
    True
    """
    if not isinstance(problem, MatchingProblem):
        raise ArgumentError(f"problem must be a MatchingProblem, got {problem!r}")
    told = n_rounds if horizon is None else arguments.horizon("horizon", horizon)

    def losses(game: int) -> Iterator[float]:
        users = problem.renamed(game_order(problem.n_items, seed, game))
        sam = SimpleAdaptiveMatching(problem.n_items, horizon=told)
        best_value = problem.best_value
        while True:
            pairs = sam.match()
            sam.update(users.drawn(pairs, address(seed, game, USERS, sam.round)))
            yield best_value - sum(users.chance(i, j) for i, j in pairs)

    return play_games(
        losses, n_rounds=n_rounds, n_games=n_games, seed=seed, checkpoints=checkpoints
    )
