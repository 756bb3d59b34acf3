"""User browsing model: examination depends on the position and on that of the last click.

    P(click at k | last click at r) = examination[k][r] * attraction_(item at k)

Dupret and Piwowarski, "A user browsing model to predict search engine click data", SIGIR 2008. The
last column of `examination` is for "no click yet": the first position is seen with probability
examination[0][-1].
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, uniform
from unirank.users.base import ClickKernels, ClickModel, registry
from unirank.users.looks import best_first_click


class Parameters(NamedTuple):
    attraction: NDArray[np.float64]  # (n_items,)
    examination: NDArray[np.float64]  # (n_positions, n_positions); last column: no click yet


@compiled
def click(
    model: Parameters, ranking: NDArray[np.int64], rng: Rng, clicks: NDArray[np.bool_]
) -> None:
    last = model.examination.shape[1] - 1
    for position, item in enumerate(ranking):
        chance = model.examination[position, last] * model.attraction[item]
        clicks[position] = uniform(rng, item) < chance
        if clicks[position]:
            last = position


@compiled
def expected_clicks(
    model: Parameters, ranking: NDArray[np.int64], expected: NDArray[np.float64]
) -> float:
    # Sum over where the last click was: at r (or nowhere yet, r = -1), then no click up to here.
    no_click = model.examination.shape[1] - 1
    total = 0.0
    for position, item in enumerate(ranking):
        expected[position] = 0.0
        for r in range(-1, position):
            column = r if r >= 0 else no_click
            chance = expected[r] if r >= 0 else 1.0
            for between in range(r + 1, position):
                chance *= (
                    1.0 - model.examination[between, column] * model.attraction[ranking[between]]
                )
            expected[position] += (
                chance * model.examination[position, column] * model.attraction[item]
            )
        total += expected[position]
    return total


@compiled
def expected_after_click(
    model: Parameters, ranking: NDArray[np.int64], position: int, expected: NDArray[np.float64]
) -> None:
    # Like `expected_clicks`, but the last click is at `position` or below.
    for below in range(position + 1, ranking.size):
        expected[below] = 0.0
        for r in range(position, below):
            chance = expected[r] if r > position else 1.0
            for between in range(r + 1, below):
                chance *= 1.0 - model.examination[between, r] * model.attraction[ranking[between]]
            expected[below] += (
                chance * model.examination[below, r] * model.attraction[ranking[below]]
            )


@compiled
def first_click(
    model: Parameters, ranking: NDArray[np.int64], chances: NDArray[np.float64]
) -> float:
    no_click = model.examination.shape[1] - 1
    none = 1.0  # chance of no click so far
    total = 0.0
    for position, item in enumerate(ranking):
        chance = model.examination[position, no_click] * model.attraction[item]
        chances[position] = none * chance
        total += chances[position]
        none *= 1.0 - chance
    return total


@registry.register("ubm")
class UBM(ClickModel):
    """Examination depends on the position and on that of the last click.

    Parameters
    ----------
    attraction
        Probability that each item is clicked by a user who looks at it, one number per item.
    examination_by_rank_and_last_click
        Probability that users look at each position (row), by the position of their last click
        (column); the last column is for those who have not clicked yet.

    Examples
    --------
    >>> UBM([0.1, 0.3], [[0.5, 1.0], [0.6, 0.4]]).best_ranking(2)
    (1, 0)
    """

    kernels = ClickKernels(click, expected_clicks, expected_after_click, first_click)
    examination_by_rank_and_last_click: NDArray[np.float64]  # (n_positions, n_positions)

    def __init__(
        self, attraction: "ArrayLike", examination_by_rank_and_last_click: "ArrayLike"
    ) -> None:
        name = "examination_by_rank_and_last_click"
        attraction = arguments.probabilities("attraction", attraction)
        examination = arguments.probabilities(
            name, examination_by_rank_and_last_click, (None, None)
        )
        n_positions, n_columns = examination.shape
        if n_columns < n_positions:
            raise ArgumentError(
                f"{name} must have a column per earlier position and one for no click, "
                f"{n_positions} x {n_positions}, got shape {examination.shape}"
            )
        super().__init__(
            Parameters(attraction, examination),
            n_positions,
            attraction=attraction,
            **{name: examination},
        )

    def _best_first_click(self, n_positions: int, objective: str) -> NDArray[np.int64]:
        return best_first_click(self, self.parameters.examination[:n_positions, -1], objective)
