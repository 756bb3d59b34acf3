"""All the click models, and the best ranking under one of them by trying every ranking."""

from itertools import permutations

from .click_model import ClickModel
from .position_models import PBM, UBM
from .scan_models import CCM, CM, DBN, DCM

__all__ = ["CCM", "CM", "DBN", "DCM", "PBM", "UBM", "ClickModel", "best_ranking"]


def best_ranking(
    model: ClickModel, n_items: int, n_positions: int
) -> tuple[tuple[int, ...], float]:
    """Return the first of the rankings with the most expected clicks, and that value."""
    rankings = list(permutations(range(n_items), n_positions))
    values = [sum(model.expected_clicks(ranking)) for ranking in rankings]
    best = max(values)
    return rankings[values.index(best)], best
