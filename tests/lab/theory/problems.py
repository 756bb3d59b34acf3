"""Random problems, ties and extremes included, each with its literal twin."""

from typing import Any, NamedTuple

import numpy as np

from tests.reference import click_models as twins
from tests.reference.click_models import ClickModel as Twin
from unirank.users import CCM, CM, DBN, DCM, PBM, UBM, ClickModel

FEW = [0.1, 0.2, 0.3, 0.5]  # few values, so that items tie


class Problem(NamedTuple):
    users: ClickModel
    twin: Twin
    n_positions: int


def numbers(rng: np.random.Generator, n: int) -> list[float]:
    """Chances, of which every third draw has ties."""
    drawn = rng.choice(FEW, n) if rng.random() < 1 / 3 else rng.uniform(0.02, 0.95, n)
    return [float(value) for value in drawn]


def pbm_and_cm(n: int, seed: int, most_items: int = 6) -> list[Problem]:
    """PBM with decreasing examination, of both couplings, and CM, in turn."""
    rng = np.random.default_rng(seed)
    found = []
    for k in range(n):
        n_items = int(rng.integers(2, most_items + 1))
        n_positions = int(rng.integers(1, n_items + 1))
        theta = numbers(rng, n_items)
        if k % 2:
            found.append(Problem(CM(theta), twins.CM(theta), n_positions))
            continue
        kappa = sorted(numbers(rng, n_positions), reverse=True)
        coupling: Any = "common" if k % 8 == 0 else "independent"
        users = PBM(theta, kappa, coupling=coupling)
        found.append(Problem(users, twins.PBM(theta, kappa, coupling), n_positions))
    return found


def of_all_models(n: int, seed: int, n_items: int = 4) -> list[Problem]:
    """The six click models in turn, with positions in no order."""
    rng = np.random.default_rng(seed)
    found = []
    for k in range(n):
        n_positions = int(rng.integers(1, n_items + 1))
        theta, kappa = numbers(rng, n_items), numbers(rng, n_positions)
        table = [numbers(rng, n_positions) for _ in range(n_positions)]
        a, b, c = numbers(rng, 3)
        satisfaction = numbers(rng, n_items)
        pairs: list[tuple[ClickModel, Twin]] = [
            (PBM(theta, kappa), twins.PBM(theta, kappa)),
            (CM(theta), twins.CM(theta)),
            (DCM(theta, kappa), twins.DCM(theta, kappa)),
            (DBN(theta, satisfaction, a), twins.DBN(theta, satisfaction, a)),
            (CCM(theta, a, b, c), twins.CCM(theta, a, b, c)),
            (UBM(theta, table), twins.UBM(theta, table)),
        ]
        found.append(Problem(*pairs[k % 6], n_positions))
    return found


def place_of(order: tuple[tuple[int, ...], ...], item: int) -> int:
    """Number of the subset that holds an item."""
    return next(place for place, subset in enumerate(order) if item in subset)
