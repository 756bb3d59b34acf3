"""Unimodal bandits: arms on a graph on which every arm but the best has a better neighbour.

OSUB explores only among the neighbours of the best arm so far. It is Algorithm 1 of Combes and
Proutiere, "Unimodal Bandits: Regret Lower Bounds and Optimal Algorithms", ICML 2014. It must know
the graph. Its regret is the sum over the neighbours k of the best arm of
(mu* - mu_k) / kl(mu_k, mu*) log T, which is the least possible, without knowing T. Not for graphs
with other peaks, where it can stay for ever. UniRank searches ordered partitions in the same way.
The policy `osub` is the same algorithm on rankings.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.lab.bandit_games import RegretCurves, play_games
from unirank.policies.base.round_rng import Draws
from unirank.policies.kernels.indices import budget as budget_after
from unirank.policies.kernels.indices import kl_ucb
from unirank.policies.kernels.randomness import MOST_ITEMS, POLICY, USERS, address
from unirank.policies.plain.indices import LOGLOG_WEIGHT

HIGHEST = 1 - 2.0**-40  # above it, rounding errors would decide between indices

Graph = tuple[tuple[int, ...], ...]  # the neighbours of each arm, ascending


class UnimodalProblem:
    """Arms that pay 1 or 0, each with a probability of its own, on a graph.

    Parameters
    ----------
    means
        Probability that each arm pays.
    neighbours
        `neighbours[k]` lists the arms next to arm k.

    Examples
    --------
    >>> UnimodalProblem.line([0.1, 0.5, 0.3]).best_arm
    1
    """

    def __init__(self, means: "ArrayLike", neighbours: Sequence[Iterable[int]]) -> None:
        self.means = arguments.probabilities("means", means)
        self.n_arms = arguments.integer("n_arms", len(self.means), 1, MOST_ITEMS)
        self.neighbours = checked_graph(neighbours)
        if len(self.neighbours) != self.n_arms:
            raise ArgumentError(
                f"neighbours must be given for {self.n_arms} arms, got {len(self.neighbours)}"
            )
        self.best_arm = int(np.argmax(self.means))
        for arm, near in enumerate(self.neighbours):
            if arm != self.best_arm and not any(self.means[k] > self.means[arm] for k in near):
                raise ArgumentError(
                    f"means must be unimodal on the graph, got arm {arm} with mean "
                    f"{self.means[arm]:g} and no better neighbour, while arm {self.best_arm} has "
                    f"mean {self.means[self.best_arm]:g}"
                )

    @classmethod
    def line(cls, means: "ArrayLike") -> Self:
        """Arms in a row, each next to the one before and the one after."""
        n_arms = len(arguments.probabilities("means", means))
        return cls.from_edges(means, [(arm, arm + 1) for arm in range(n_arms - 1)])

    @classmethod
    def from_edges(cls, means: "ArrayLike", edges: Iterable[tuple[int, int]]) -> Self:
        """Arms on the graph of these pairs of neighbours.

        Parameters
        ----------
        edges
            Pairs of arms that are neighbours.
        """
        near: list[set[int]] = [set() for _ in arguments.probabilities("means", means)]
        for edge in edges:
            pair = [arguments.integer("edges", k, 0, len(near) - 1, "n_arms-1=") for k in edge]
            if len(pair) != 2:
                raise ArgumentError(f"edges must be pairs of arms, got {edge!r}")
            near[pair[0]].add(pair[1])
            near[pair[1]].add(pair[0])
        return cls(means, [sorted(one) for one in near])

    @property
    def best_value(self) -> float:
        """Mean of the best arm."""
        return float(self.means[self.best_arm])

    def __repr__(self) -> str:
        return f"UnimodalProblem(means={self.means.tolist()}, neighbours={list(self.neighbours)})"


def checked_graph(neighbours: object) -> Graph:
    """Return the graph; raise unless it is symmetric, connected and without loops."""
    if not isinstance(neighbours, Sequence) or isinstance(neighbours, str) or not neighbours:
        raise ArgumentError(f"neighbours must be a list of neighbours per arm, got {neighbours!r}")
    last = len(neighbours) - 1
    graph: list[tuple[int, ...]] = []
    for arm, listed in enumerate(neighbours):
        name = f"neighbours[{arm}]"
        if not isinstance(listed, Iterable) or isinstance(listed, str):
            raise ArgumentError(f"{name} must be a list of arms, got {listed!r}")
        near = sorted(arguments.integer(name, k, 0, last, "n_arms-1=") for k in listed)
        if arm in near:
            raise ArgumentError(f"{name} must not hold the arm itself, got {near}")
        if len(set(near)) < len(near):
            raise ArgumentError(f"{name} must not repeat an arm, got {near}")
        graph.append(tuple(near))
    for arm in range(len(graph)):
        for other in graph[arm]:
            if arm not in graph[other]:
                raise ArgumentError(
                    f"neighbours must be symmetric, got {other} next to {arm} "
                    f"but not {arm} next to {other}"
                )
    unreached = set(range(len(graph))) - reached(graph)
    if unreached:
        raise ArgumentError(
            f"neighbours must be connected, got no path from arm 0 to arm {min(unreached)}"
        )
    return tuple(graph)


def reached(graph: Sequence[tuple[int, ...]]) -> set[int]:
    """Arms that a path joins to arm 0."""
    found, waiting = {0}, [0]
    while waiting:
        new = set(graph[waiting.pop()]) - found
        found |= new
        waiting += new
    return found


class GraphOSUB:
    """Plays one of the arms 0 .. n_arms - 1 per round, near the best one so far.

    Each round:
        leader   the arm of largest mean among all (ties: uniformly), 0 for one never played
        play     the leader in its rounds 1, gamma + 2, 2 gamma + 3, ..., where gamma is the largest
                 number of neighbours of an arm; in others the arm of largest index among the leader
                 and its neighbours (ties: uniformly)

        index of an arm = kl_ucb(mean, plays, budget),  budget = ln l + 3 ln ln l,
        l = rounds with this leader

    Draw 0 of a round chooses among tied leaders, ascending; draw 1 among tied indices, the leader
    first, then its neighbours, ascending. Rewards may come late and in any order.

    Parameters
    ----------
    neighbours
        `neighbours[k]` lists the arms next to arm k.
    budget
        "kl-ucb" (ln l + 3 ln ln l) or "ln" (ln l).
    seed
        Makes the choices between tied arms reproducible.

    Examples
    --------
    >>> bandit = GraphOSUB([[1], [0, 2], [1]])
    >>> for _ in range(100):
    ...     arm = bandit.choose()
    ...     bandit.update(arm, reward=arm / 2)
    >>> bandit.leader
    2
    """

    def __init__(
        self,
        neighbours: Sequence[Iterable[int]],
        *,
        budget: str = "kl-ucb",
        seed: int = 0,
        game: int = 0,
    ) -> None:
        self.neighbours = checked_graph(neighbours)
        arguments.choice("budget", budget, tuple(LOGLOG_WEIGHT))
        self.budget = budget
        self.seed = arguments.seed(seed)
        self.game = arguments.integer("game", game, 0, arguments.LARGEST_SEED)
        self.round = 0
        self.plays = [0] * len(self.neighbours)  # answered ones
        self.gained = [0.0] * len(self.neighbours)
        self.leads = [0] * len(self.neighbours)  # rounds as leader
        self._period = 1 + max(map(len, self.neighbours))

    @property
    def means(self) -> list[float]:
        """Mean reward of each arm, 0 for one that was never played."""
        return [g / n if n else 0.0 for g, n in zip(self.gained, self.plays, strict=True)]

    @property
    def leader(self) -> int:
        """The arm of largest mean, the lowest of those that tie."""
        means = self.means
        return means.index(max(means))

    def choose(self) -> int:
        """The arm to play in the next round."""
        self.round += 1
        draws = Draws(address(self.seed, self.game, POLICY, self.round))
        leader = one_of_largest(range(len(self.plays)), self.means, draws, 0)
        self.leads[leader] += 1
        if (self.leads[leader] - 1) % self._period == 0:
            return leader
        around = [leader, *self.neighbours[leader]]
        now = budget_after(self.leads[leader], LOGLOG_WEIGHT[self.budget])
        return one_of_largest(around, [self._index(arm, now) for arm in around], draws, 1)

    def _index(self, arm: int, budget: float) -> float:
        """Optimistic mean of an arm; 1 if it was never played, or gained all that it could."""
        plays, gained = self.plays[arm], self.gained[arm]
        if gained >= plays:
            return 1.0
        return min(float(kl_ucb(gained / plays, float(plays), budget)), HIGHEST)

    def update(self, arm: int, reward: float) -> None:
        """Learn the reward of one play of an arm.

        Parameters
        ----------
        arm
            What `choose` returned.
        reward
            What it paid, in [0, 1].
        """
        played = arguments.integer("arm", arm, 0, len(self.neighbours) - 1, "n_arms-1=")
        self.gained[played] += arguments.probability("reward", reward)
        self.plays[played] += 1

    def __repr__(self) -> str:
        return (
            f"GraphOSUB(n_arms={len(self.neighbours)}, budget={self.budget!r}, seed={self.seed}, "
            f"round={self.round})"
        )


def one_of_largest(arms: Sequence[int], values: Sequence[float], draws: Draws, draw: int) -> int:
    """Return an arm of largest value; `draw` chooses where several tie."""
    best = max(values)
    tied = [arm for arm, value in zip(arms, values, strict=True) if value == best]
    return tied[draws.below(draw, len(tied))] if len(tied) > 1 else tied[0]


def play_unimodal(
    problem: UnimodalProblem,
    *,
    n_rounds: int,
    n_games: int = 20,
    seed: int = 0,
    budget: str = "kl-ucb",
    checkpoints: Iterable[int] | None = None,
) -> RegretCurves:
    """Regret of OSUB in independent games, at `checkpoints`, log-spaced by default.

    Parameters
    ----------
    problem
        The arms and their graph.
    budget
        "kl-ucb" (ln l + 3 ln ln l) or "ln" (ln l).

    Examples
    --------
    >>> curves = play_unimodal(UnimodalProblem.line([0.1, 0.9]), n_rounds=1000, n_games=2)
    >>> curves.regret.shape == (2, len(curves.rounds))
    True
    """
    if not isinstance(problem, UnimodalProblem):
        raise ArgumentError(f"problem must be a UnimodalProblem, got {problem!r}")
    arguments.choice("budget", budget, tuple(LOGLOG_WEIGHT))

    def losses(game: int) -> Iterator[float]:
        bandit = GraphOSUB(problem.neighbours, budget=budget, seed=seed, game=game)
        while True:
            arm = bandit.choose()
            users = Draws(address(seed, game, USERS, bandit.round))
            bandit.update(arm, float(users.uniform(arm) < problem.means[arm]))
            yield float(problem.best_value - problem.means[arm])

    return play_games(
        losses, n_rounds=n_rounds, n_games=n_games, seed=seed, checkpoints=checkpoints
    )
