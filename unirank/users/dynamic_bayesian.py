"""Dynamic Bayesian network: read from the top until satisfied by a click, or tired.

    P(click on i | read)         = attraction_i
    P(read on | clicked i)       = (1 - satisfaction_i) (1 - abandon)
    P(read on | did not click i) = 1 - abandon

Chapelle and Zhang, "A dynamic Bayesian network click model for web search ranking", WWW 2009, with
abandon = 1 - gamma. The first position is always seen.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unirank import arguments
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, uniform
from unirank.users.base import ClickKernels, ClickModel, registry
from unirank.users.chain import best_chain
from unirank.users.looks import best_first_click


class Parameters(NamedTuple):
    attraction: NDArray[np.float64]  # (n_items,)
    satisfaction: NDArray[np.float64]  # (n_items,)
    abandon: float


@compiled
def click(
    model: Parameters, ranking: NDArray[np.int64], rng: Rng, clicks: NDArray[np.bool_]
) -> None:
    n_items = model.attraction.size
    clicks[:] = False
    for position, item in enumerate(ranking):
        reads_on = 1.0 - model.abandon
        if uniform(rng, item) < model.attraction[item]:
            clicks[position] = True
            reads_on *= 1.0 - model.satisfaction[item]
        if uniform(rng, n_items + item) >= reads_on:
            return


@compiled
def expected_clicks(
    model: Parameters, ranking: NDArray[np.int64], expected: NDArray[np.float64]
) -> float:
    read = 1.0
    total = 0.0
    for position, item in enumerate(ranking):
        expected[position] = read * model.attraction[item]
        total += expected[position]
        read *= (1.0 - model.abandon) * (1.0 - model.attraction[item] * model.satisfaction[item])
    return total


@compiled
def expected_after_click(
    model: Parameters, ranking: NDArray[np.int64], position: int, expected: NDArray[np.float64]
) -> None:
    read = (1.0 - model.abandon) * (1.0 - model.satisfaction[ranking[position]])
    for below in range(position + 1, ranking.size):
        item = ranking[below]
        expected[below] = read * model.attraction[item]
        read *= (1.0 - model.abandon) * (1.0 - model.attraction[item] * model.satisfaction[item])


@compiled
def first_click(
    model: Parameters, ranking: NDArray[np.int64], chances: NDArray[np.float64]
) -> float:
    read = 1.0  # chance of reading this position with no click above
    total = 0.0
    for position, item in enumerate(ranking):
        chances[position] = read * model.attraction[item]
        total += chances[position]
        read *= (1.0 - model.abandon) * (1.0 - model.attraction[item])
    return total


@registry.register("dbn")
class DBN(ClickModel):
    """Reads from the top until a click satisfies, or until tired.

    Parameters
    ----------
    attraction
        Probability that each item is clicked by a user who looks at it, one number per item.
    satisfaction
        Probability that a click on each item ends the visit, one number per item.
    abandon
        Probability to leave after any item, satisfied or not.

    Examples
    --------
    >>> DBN(attraction=[0.1, 0.3], satisfaction=[0.5, 0.5], abandon=0.1).best_ranking(1)
    (1,)
    """

    kernels = ClickKernels(click, expected_clicks, expected_after_click, first_click)
    per_item = ("attraction", "satisfaction")
    satisfaction: NDArray[np.float64]  # (n_items,)
    abandon: float

    def __init__(self, attraction: "ArrayLike", satisfaction: "ArrayLike", abandon: float) -> None:
        attraction = arguments.probabilities("attraction", attraction)
        satisfaction = arguments.probabilities("satisfaction", satisfaction, attraction.shape)
        abandon = arguments.probability("abandon", abandon)
        super().__init__(
            Parameters(attraction, satisfaction, abandon),
            len(attraction),
            attraction=attraction,
            satisfaction=satisfaction,
            abandon=abandon,
        )

    def _best_ranking(self, n_positions: int) -> NDArray[np.int64]:
        attraction, satisfaction, abandon = self.parameters
        reads_on = (1.0 - abandon) * (1.0 - attraction * satisfaction)
        return best_chain(attraction, reads_on, n_positions)

    def _best_first_click(self, n_positions: int, objective: str) -> NDArray[np.int64]:
        return best_first_click(self, np.ones(n_positions), objective)
