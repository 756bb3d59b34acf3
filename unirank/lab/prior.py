"""Problems drawn from a stated prior, for advice where nothing is known of a page but its size.

attractions      Beta(1, 9): one item in ten shown is worth a click, a few are worth more
users            position-based and cascade, half and half
examination      1 / position^severity, severity uniform in 0.5..1.5 (position-based users)
today's order    the items by attraction * exp(noise * normal), noise = 0.5
"""

from typing import NamedTuple

import numpy as np

from unirank.users import CM, PBM, ClickModel

SENTENCE = (
    "attractions Beta(1, 9); position-based (examination 1/position^s, s in 0.5..1.5) and cascade "
    "users, half and half; today's order by attraction * exp(0.5 * normal)"
)
NOISE = 0.5
SEVERITY = (0.5, 1.5)


class DrawnProblem(NamedTuple):
    users: ClickModel
    today: tuple[int, ...]  # today's order

    @property
    def loss(self) -> float:
        """Clicks that today's order loses in each round."""
        return self.users.best_value(len(self.today)) - self.users.value(self.today)


def draw_problem(seed: int, number: int, n_items: int, n_positions: int) -> DrawnProblem:
    """Draw the problem of this number, the same for every policy; an even one is position-based."""
    rng = np.random.default_rng([seed, number])
    attraction = rng.beta(1.0, 9.0, n_items)
    severity = rng.uniform(*SEVERITY)
    believed = attraction * np.exp(NOISE * rng.standard_normal(n_items))
    today = tuple(np.argsort(-believed, kind="stable")[:n_positions].tolist())
    if number % 2:
        return DrawnProblem(CM(attraction), today)
    return DrawnProblem(PBM(attraction, np.arange(1, n_positions + 1) ** -severity), today)
