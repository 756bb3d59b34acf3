"""Your own click model
====================

Visitors who compare: they look at the whole page and click one item, or none. More attractive
neighbours take clicks away, which none of the six models of the library describes.
"""

from typing import Any, NamedTuple

import numpy as np

import unirank as ur
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import uniform
from unirank.users.base import ClickKernels, registry


class Parameters(NamedTuple):
    attraction: Any  # (n_items,) float64
    examination: Any  # (n_positions,) float64


@compiled
def expected_clicks(model, ranking, expected):
    whole = 1.0  # the weight of no click
    for position, item in enumerate(ranking):
        expected[position] = model.examination[position] * model.attraction[item]
        whole += expected[position]
    for position in range(ranking.size):
        expected[position] /= whole
    return 1.0 - 1.0 / whole  # the sum


@compiled
def click(model, ranking, rng, clicks):
    left, whole = uniform(rng, 0), 1.0
    for position, item in enumerate(ranking):
        whole += model.examination[position] * model.attraction[item]
    for position, item in enumerate(ranking):
        chance = model.examination[position] * model.attraction[item] / whole
        clicks[position] = 0.0 <= left < chance
        left -= chance


@registry.register("chooser")
class Chooser(ur.ClickModel):
    """Compares the items of the page and clicks one, or none."""

    kernels = ClickKernels(click, expected_clicks)

    def __init__(self, attraction, examination):
        given = {"attraction": np.array(attraction), "examination": np.array(examination)}
        super().__init__(Parameters(**given), len(examination), **given)


if __name__ == "__main__":
    users = Chooser(attraction=[0.9, 0.7, 0.5, 0.3, 0.2], examination=[1.0, 0.6, 0.4])
    scale = {"n_positions": 3, "n_rounds": 10**5, "n_games": 20}
    traces = [ur.simulate(policy, users, **scale) for policy in ("matchrank", "unirank", "random")]
    ur.plots.regret(*traces, title="Visitors who compare", y="log", path="choosers.png")
