"""Click chain model: read from the top; whether to go on depends on the click and its relevance.

    P(click on i | read)         = attraction_i
    P(read on | did not click i) = continue_no_click
    P(read on | clicked i)       = continue_click_not_relevant (1 - attraction_i)
                                   + continue_click_relevant attraction_i

Guo et al., "Click chain model in web search", WWW 2009 (alpha_1, alpha_2 and alpha_3). The first
position is always seen.
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
    no_click: float
    click_not_relevant: float
    click_relevant: float


@compiled
def click(
    model: Parameters, ranking: NDArray[np.int64], rng: Rng, clicks: NDArray[np.bool_]
) -> None:
    n_items = model.attraction.size
    clicks[:] = False
    for position, item in enumerate(ranking):
        attraction = model.attraction[item]
        reads_on = model.no_click
        if uniform(rng, item) < attraction:
            clicks[position] = True
            reads_on = model.click_not_relevant * (1.0 - attraction)
            reads_on += model.click_relevant * attraction
        if uniform(rng, n_items + item) >= reads_on:
            return


@compiled
def reads_on_after_click(model: Parameters, attraction: float) -> float:
    return model.click_not_relevant * (1.0 - attraction) + model.click_relevant * attraction


@compiled
def reads_on_chance(model: Parameters, attraction: float) -> float:
    """P(read on | read), whether the item is clicked or not."""
    after_click = reads_on_after_click(model, attraction)
    return (1.0 - attraction) * model.no_click + attraction * after_click


@compiled
def expected_clicks(
    model: Parameters, ranking: NDArray[np.int64], expected: NDArray[np.float64]
) -> float:
    read = 1.0
    total = 0.0
    for position, item in enumerate(ranking):
        attraction = model.attraction[item]
        expected[position] = read * attraction
        total += expected[position]
        read *= reads_on_chance(model, attraction)
    return total


@compiled
def expected_after_click(
    model: Parameters, ranking: NDArray[np.int64], position: int, expected: NDArray[np.float64]
) -> None:
    read = reads_on_after_click(model, model.attraction[ranking[position]])
    for below in range(position + 1, ranking.size):
        attraction = model.attraction[ranking[below]]
        expected[below] = read * attraction
        read *= reads_on_chance(model, attraction)


@compiled
def first_click(
    model: Parameters, ranking: NDArray[np.int64], chances: NDArray[np.float64]
) -> float:
    read = 1.0  # chance of reading this position with no click above
    total = 0.0
    for position, item in enumerate(ranking):
        chances[position] = read * model.attraction[item]
        total += chances[position]
        read *= model.no_click * (1.0 - model.attraction[item])
    return total


@registry.register("ccm")
class CCM(ClickModel):
    """Reads from the top and goes on more or less readily after a click.

    Parameters
    ----------
    attraction
        Probability that each item is clicked by a user who looks at it, one number per item.
    continue_no_click
        Probability to read on after an item that was not clicked.
    continue_click_not_relevant
        Probability to read on after a click on an item of attraction 0.
    continue_click_relevant
        Probability to read on after a click on an item of attraction 1.

    Examples
    --------
    >>> CCM(
    ...     attraction=[0.1, 0.3],
    ...     continue_no_click=0.9,
    ...     continue_click_not_relevant=0.8,
    ...     continue_click_relevant=0.2,
    ... ).best_ranking(1)
    (1,)
    """

    kernels = ClickKernels(click, expected_clicks, expected_after_click, first_click)
    continue_no_click: float
    continue_click_not_relevant: float
    continue_click_relevant: float

    def __init__(
        self,
        attraction: "ArrayLike",
        continue_no_click: float,
        continue_click_not_relevant: float,
        continue_click_relevant: float,
    ) -> None:
        attraction = arguments.probabilities("attraction", attraction)
        chances = {
            "continue_no_click": continue_no_click,
            "continue_click_not_relevant": continue_click_not_relevant,
            "continue_click_relevant": continue_click_relevant,
        }
        chances = {name: arguments.probability(name, value) for name, value in chances.items()}
        parameters = Parameters(attraction, *chances.values())
        super().__init__(parameters, len(attraction), attraction=attraction, **chances)

    def _best_ranking(self, n_positions: int) -> NDArray[np.int64]:
        attraction = self.parameters.attraction
        reads_on = [reads_on_chance(self.parameters, a) for a in attraction.tolist()]
        return best_chain(attraction, np.array(reads_on), n_positions)

    def _best_first_click(self, n_positions: int, objective: str) -> NDArray[np.int64]:
        return best_first_click(self, np.ones(n_positions), objective)
