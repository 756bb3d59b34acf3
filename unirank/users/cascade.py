"""Cascade model: read from the top, click the first attractive item, and leave.

    P(click at position k) = attraction_k * prod_(l<k) (1 - attraction_l)

Craswell et al., "An experimental comparison of click position-bias models", WSDM 2008. At most one
click; the first position is always seen; the order inside the ranking does not change its value.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unirank import arguments
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, uniform
from unirank.users.base import ClickKernels, ClickModel, registry
from unirank.users.looks import best_first_click


class Parameters(NamedTuple):
    attraction: NDArray[np.float64]  # (n_items,)


@compiled
def click(
    model: Parameters, ranking: NDArray[np.int64], rng: Rng, clicks: NDArray[np.bool_]
) -> None:
    clicks[:] = False
    for position, item in enumerate(ranking):
        if uniform(rng, item) < model.attraction[item]:
            clicks[position] = True
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
        read *= 1.0 - model.attraction[item]
    return total


@compiled
def expected_after_click(
    model: Parameters, ranking: NDArray[np.int64], position: int, expected: NDArray[np.float64]
) -> None:
    expected[position + 1 :] = 0.0  # the user has left


@registry.register("cm")
class CM(ClickModel):
    """Reads from the top and leaves at the first click.

    Parameters
    ----------
    attraction
        Probability that each item is clicked by a user who looks at it, one number per item.

    Examples
    --------
    >>> CM(attraction=[0.1, 0.3, 0.2]).best_ranking(2)
    (1, 2)
    """

    # There is at most one click, so each is the first.
    kernels = ClickKernels(click, expected_clicks, expected_after_click, expected_clicks)

    def __init__(self, attraction: "ArrayLike") -> None:
        attraction = arguments.probabilities("attraction", attraction)
        super().__init__(Parameters(attraction), len(attraction), attraction=attraction)

    def _best_ranking(self, n_positions: int) -> NDArray[np.int64]:
        # 1 - prod(1 - attraction) is largest on the most attractive items, in any order.
        return np.argsort(-self.attraction, kind="stable")[:n_positions]

    def _best_first_click(self, n_positions: int, objective: str) -> NDArray[np.int64]:
        return best_first_click(self, np.ones(n_positions), objective)
