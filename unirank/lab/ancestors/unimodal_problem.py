"""A unimodal problem: Bernoulli arms on a graph, with a path of rising means from each to the best.

Combes and Proutiere, ICML 2014, section 2: the best arm is unique, and every other arm has a
neighbour of strictly larger mean. Draw k of the users' numbers decides the reward of arm k.
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.lab.ancestors.graph import Graph, checked_graph, graph_of_edges, line_graph
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import MOST_ITEMS, Rng, uniform
from unirank.users.base import ClickKernels


class Parameters(NamedTuple):
    means: NDArray[np.float64]  # (n_arms,)


@compiled
def draw(
    model: Parameters, action: NDArray[np.int64], rng: Rng, outcomes: NDArray[np.bool_]
) -> None:
    outcomes[0] = uniform(rng, action[0]) < model.means[action[0]]


@compiled
def value(model: Parameters, action: NDArray[np.int64], expected: NDArray[np.float64]) -> float:
    """Mean of the arm; `expected` is not used."""
    return model.means[action[0]]


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

    name: ClassVar[str] = "unimodal"
    kernels: ClassVar[ClickKernels] = ClickKernels(draw, value)

    def __init__(self, means: "ArrayLike", neighbours: Sequence[Iterable[int]]) -> None:
        self.means = arguments.probabilities("means", means)
        self.n_arms = arguments.integer("n_arms", len(self.means), 1, MOST_ITEMS)
        self.neighbours: Graph = checked_graph(neighbours)
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
        """Arms in a row."""
        checked = arguments.probabilities("means", means)
        return cls(checked, line_graph(len(checked)))

    @classmethod
    def from_edges(cls, means: "ArrayLike", edges: Iterable[tuple[int, int]]) -> Self:
        """Arms on the graph of these pairs of neighbours.

        Parameters
        ----------
        edges
            Pairs of arms that are neighbours.
        """
        checked = arguments.probabilities("means", means)
        return cls(checked, graph_of_edges(len(checked), edges))

    @property
    def best_value(self) -> float:
        """Mean of the best arm."""
        return float(self.means[self.best_arm])

    def item_order(self, seed: int, game: int) -> NDArray[np.int64]:
        """Order of the arms in a game: the graph stays as it is."""
        return np.arange(self.n_arms)

    def shuffled(self, order: NDArray[np.int64]) -> Any:
        """Compiled parameters in this order of the arms."""
        return Parameters(self.means[order])

    def __repr__(self) -> str:
        return f"UnimodalProblem(means={self.means.tolist()}, neighbours={list(self.neighbours)})"
