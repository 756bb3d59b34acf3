"""Position-based model: examination depends on the position, and clicks are independent.

    P(click at position k) = examination_k * attraction_(item at k)

Richardson, Dominowska and Ragno, "Predicting clicks", WWW 2007. The first position is seen with
probability examination_1, which need not be 1.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unirank import arguments
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, uniform
from unirank.users.base import ClickKernels, ClickModel, registry
from unirank.users.looks import best_first_click, by_looks

COUPLINGS = ("independent", "common")


class Parameters(NamedTuple):
    attraction: NDArray[np.float64]  # (n_items,)
    examination: NDArray[np.float64]  # (n_positions,)
    common: bool


@compiled
def click(
    model: Parameters, ranking: NDArray[np.int64], rng: Rng, clicks: NDArray[np.bool_]
) -> None:
    for position, item in enumerate(ranking):
        chance = model.examination[position] * model.attraction[item]
        clicks[position] = uniform(rng, 0 if model.common else item) < chance


@compiled
def expected_clicks(
    model: Parameters, ranking: NDArray[np.int64], expected: NDArray[np.float64]
) -> float:
    total = 0.0
    for position, item in enumerate(ranking):
        expected[position] = model.examination[position] * model.attraction[item]
        total += expected[position]
    return total


@compiled
def expected_after_click(
    model: Parameters, ranking: NDArray[np.int64], position: int, expected: NDArray[np.float64]
) -> None:
    clicked = model.examination[position] * model.attraction[ranking[position]]
    for below in range(position + 1, ranking.size):
        chance = model.examination[below] * model.attraction[ranking[below]]
        # Common clicks share one random number: below one chance, it is below every larger one.
        certain = model.common and chance >= clicked
        expected[below] = 1.0 if certain else chance / clicked if model.common else chance


@compiled
def first_click(
    model: Parameters, ranking: NDArray[np.int64], chances: NDArray[np.float64]
) -> float:
    before = 0.0  # chance of a click further up
    for position, item in enumerate(ranking):
        chance = model.examination[position] * model.attraction[item]
        if model.common:  # the number is below this chance, and not below one further up
            chances[position] = max(0.0, chance - before)
        else:
            chances[position] = (1.0 - before) * chance
        before += chances[position]
    return before


@registry.register("pbm")
class PBM(ClickModel):
    """Examination depends on the position; clicks are independent.

    Parameters
    ----------
    attraction
        Probability that each item is clicked by a user who looks at it, one number per item.
    examination
        Probability that users look at each position, one number per position.
    coupling
        "independent" clicks, or "common": one random number per user is compared with every click
        probability, as the simulator of the published experiments does. The click rates are the
        same, but clicks come together.

    Examples
    --------
    >>> PBM(attraction=[0.1, 0.3], examination=[1, 0.5]).best_ranking(2)
    (1, 0)
    """

    kernels = ClickKernels(click, expected_clicks, expected_after_click, first_click)
    examination: NDArray[np.float64]  # (n_positions,)
    coupling: str

    def __init__(
        self, attraction: "ArrayLike", examination: "ArrayLike", *, coupling: str = "independent"
    ) -> None:
        attraction = arguments.probabilities("attraction", attraction)
        examination = arguments.probabilities("examination", examination)
        arguments.choice("coupling", coupling, COUPLINGS)
        super().__init__(
            Parameters(attraction, examination, coupling == "common"),
            len(examination),
            attraction=attraction,
            examination=examination,
            coupling=coupling,
        )

    def position_order(self, n_positions: int) -> tuple[int, ...]:
        """Return the first positions by decreasing examination; ties keep their order."""
        looks = self.examination[: self.check_n_positions(n_positions)]
        return tuple(np.argsort(-looks, kind="stable").tolist())

    def reordered(self, position_order: Iterable[int]) -> "PBM":
        """The same users with positions renumbered: new position r is old position_order[r].

        Parameters
        ----------
        position_order
            Old positions in their new order.
        """
        order = arguments.permutation("position_order", position_order, self.n_positions)
        return PBM(self.attraction, self.examination[order], coupling=self.coupling)

    def _best_ranking(self, n_positions: int) -> NDArray[np.int64]:
        # Rearrangement inequality: the most attractive item where people look most, and so on.
        return by_looks(self.attraction, self.examination[:n_positions])

    def _best_first_click(self, n_positions: int, objective: str) -> NDArray[np.int64]:
        return best_first_click(self, self.examination[:n_positions], objective)
