"""Dependent click model: read from the top; after a click, perhaps leave.

    P(click at k | read) = attraction_k
    P(read k+1 | read k) = 1 - stop_after_click_k  after a click at k,  1 otherwise

Guo, Liu and Wang, "Efficient multiple-click models in web search", WSDM 2009. The first position
is always seen. With stop_after_click = 1 this is the cascade model.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unirank import arguments
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, uniform
from unirank.users import cascade
from unirank.users.base import ClickKernels, ClickModel, registry
from unirank.users.chain import best_chain
from unirank.users.looks import best_first_click


class Parameters(NamedTuple):
    attraction: NDArray[np.float64]  # (n_items,)
    stop_after_click: NDArray[np.float64]  # (n_positions,)


@compiled
def click(
    model: Parameters, ranking: NDArray[np.int64], rng: Rng, clicks: NDArray[np.bool_]
) -> None:
    n_items = model.attraction.size
    clicks[:] = False
    for position, item in enumerate(ranking):
        if uniform(rng, item) < model.attraction[item]:
            clicks[position] = True
            if uniform(rng, n_items + item) >= 1.0 - model.stop_after_click[position]:
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
        read *= 1.0 - model.attraction[item] * model.stop_after_click[position]
    return total


@compiled
def expected_after_click(
    model: Parameters, ranking: NDArray[np.int64], position: int, expected: NDArray[np.float64]
) -> None:
    read = 1.0 - model.stop_after_click[position]
    for below in range(position + 1, ranking.size):
        attraction = model.attraction[ranking[below]]
        expected[below] = read * attraction
        read *= 1.0 - attraction * model.stop_after_click[below]


@registry.register("dcm")
class DCM(ClickModel):
    """Reads from the top and may go on after a click, depending on its position.

    Parameters
    ----------
    attraction
        Probability that each item is clicked by a user who looks at it, one number per item.
    stop_after_click
        Probability to leave after a click at each position, one number per position.

    Examples
    --------
    >>> DCM(attraction=[0.1, 0.3, 0.2], stop_after_click=[0.5, 0.5]).best_ranking(2)
    (1, 2)
    """

    # Until the first click they are cascade users.
    kernels = ClickKernels(click, expected_clicks, expected_after_click, cascade.expected_clicks)
    stop_after_click: NDArray[np.float64]  # (n_positions,)

    def __init__(self, attraction: "ArrayLike", stop_after_click: "ArrayLike") -> None:
        attraction = arguments.probabilities("attraction", attraction)
        stop = arguments.probabilities("stop_after_click", stop_after_click)
        super().__init__(
            Parameters(attraction, stop), len(stop), attraction=attraction, stop_after_click=stop
        )

    def _best_ranking(self, n_positions: int) -> NDArray[np.int64]:
        attraction, stop = self.parameters
        if np.all(stop[: n_positions - 1] == stop[0]):  # what follows the last position is nothing
            return best_chain(attraction, 1.0 - attraction * stop[0], n_positions)
        # With stops that vary, a more attractive item can cost later clicks: no order is best.
        return super()._best_ranking(n_positions)

    def _best_first_click(self, n_positions: int, objective: str) -> NDArray[np.int64]:
        return best_first_click(self, np.ones(n_positions), objective)
