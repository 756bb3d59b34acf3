"""OSUB on any graph of arms: explore only among the neighbours of the best arm so far.

Combes and Proutiere, "Unimodal Bandits: Regret Lower Bounds and Optimal Algorithms", ICML 2014,
Algorithm 1. Assumes rewards in [0, 1], and that every arm but the best one has a better neighbour.
Must know the graph. Regret sum over the neighbours k of the best arm of (mu* - mu_k) / kl(mu_k,
mu*) log T, which is the least possible, without knowing T. Not for graphs with other peaks, where
it can stay for ever. The formulas are in `kernels/unimodal.py`; `policies/osub` is the same on
rankings. gamma is the largest number of neighbours of an arm.

Each round:
    leader   the arm of largest mean among all (ties: uniformly), 0 for one that was never played
    play     the leader in its rounds 1, gamma + 2, 2 gamma + 3, ...; in others the arm of largest
             index among the leader and its neighbours (ties: uniformly)

Random numbers of a round: draw 0 chooses among tied leaders, ascending; draw 1 among tied indices,
the leader first, then its neighbours, ascending.
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.lab.ancestors.graph import Graph, checked_graph
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import POLICY, Rng, address, below
from unirank.policies.kernels.tournament import empty_tournament, enter, winner
from unirank.policies.kernels.unimodal import (
    ARM,
    LOGLOG_WEIGHT,
    lead,
    mean_of,
    most_optimistic,
    reward,
)

LEADER_DRAW, ARM_DRAW = 0, 1


class State(NamedTuple):
    arms: Any  # (n_arms,) records ARM
    means: NDArray[np.float64]  # the tournament of the arms' means
    counts: NDArray[np.int64]
    near: NDArray[np.int64]  # of arm 0: itself and its neighbours; the same of arm 1; ...
    starts: NDArray[np.int64]  # (n_arms + 1,) where those of each arm start
    tied: NDArray[np.int64]  # (gamma + 1,) scratch
    loglog_weight: float


def initial_state(graph: Graph, *, loglog_weight: float) -> State:
    """No arm was played."""
    around = [(arm, *near) for arm, near in enumerate(graph)]
    means, counts = empty_tournament(len(graph))
    for arm in range(len(graph)):
        enter(means, counts, arm, 0.0)
    return State(
        arms=np.zeros(len(graph), ARM),
        means=means,
        counts=counts,
        near=np.array([arm for one in around for arm in one], np.int64),
        starts=np.cumsum([0, *map(len, around)]),
        tied=np.zeros(max(map(len, around)), np.int64),
        loglog_weight=loglog_weight,
    )


@compiled
def choose(state: State, rng: Rng, action: NDArray[np.int64]) -> None:
    n_tied = state.counts[1]
    leader = winner(state.means, state.counts, below(rng, LEADER_DRAW, n_tied) if n_tied > 1 else 0)
    action[0] = leader
    if lead(state.arms, leader, state.tied.size):
        return
    near = state.near[state.starts[leader] : state.starts[leader + 1]]
    n_tied = most_optimistic(state.arms, leader, near, 1.0, state.loglog_weight, state.tied)
    action[0] = near[state.tied[below(rng, ARM_DRAW, n_tied) if n_tied > 1 else 0]]


@compiled
def learn(state: State, action: NDArray[np.int64], outcomes: NDArray[Any]) -> None:
    """Learn one reward: a number in [0, 1], or whether there was one."""
    reward(state.arms, state.means, state.counts, action[0], 1.0 * outcomes[0], 1.0)


class GraphOSUB:
    """Plays one of the arms 0 .. n_arms - 1 per round, near the best one so far.

    Rewards may come late and in any order.

    Parameters
    ----------
    neighbours
        `neighbours[k]` lists the arms next to arm k.
    budget
        "kl-ucb" (ln t + 3 ln ln t) or "ln" (ln t), where t counts the rounds with the present
        leader.
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

    name: ClassVar[str] = "graph-osub"
    kernels: ClassVar[PolicyKernels] = PolicyKernels(choose, learn)

    def __init__(
        self, neighbours: Sequence[Iterable[int]], *, budget: str = "kl-ucb", seed: int = 0
    ) -> None:
        self.neighbours = checked_graph(neighbours)
        arguments.choice("budget", budget, tuple(LOGLOG_WEIGHT))
        self.budget = budget
        self.seed = arguments.seed(seed)
        self.round = 0
        self.n_positions = 1  # a game writes one arm per round
        self.state: Any = initial_state(self.neighbours, loglog_weight=LOGLOG_WEIGHT[budget])

    def choose(self) -> int:
        """The arm to play in the next round."""
        self.round += 1
        action = np.zeros(1, np.int64)
        choose(self.state, address(self.seed, 0, POLICY, self.round), action)
        return int(action[0])

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
        gained = arguments.probability("reward", reward)
        learn(self.state, np.array([played]), np.array([gained]))

    @property
    def plays(self) -> list[int]:
        """How often each arm was played and answered."""
        return list(self.state.arms["plays"].tolist())

    @property
    def means(self) -> list[float]:
        """Mean reward of each arm, 0 for one that was never played."""
        rows = self.state.arms[["gained", "plays"]].tolist()
        return [float(mean_of(gained, plays, 1.0)) for gained, plays in rows]

    @property
    def leader(self) -> int:
        """The arm of largest mean, the lowest of those that tie."""
        return int(winner(self.state.means, self.state.counts, 0))

    def __repr__(self) -> str:
        return (
            f"GraphOSUB(n_arms={len(self.neighbours)}, budget={self.budget!r}, seed={self.seed}, "
            f"round={self.round})"
        )
