"""The two click models of the paper's Lemma 1, PBM and CM, have formulas for everything.

The corollaries bound Delta~_k by (theta_l - theta_k) / (theta_l + theta_k). That is reached where
one item can be left out, L > K. With L = K it is not, and the least is that of the two positions
seen least (PBM), or of the first and the last position (CM).
"""

import numpy as np
from numpy.typing import NDArray

from unirank.click_models import CM, PBM, ClickModel
from unirank.errors import ArgumentError
from unirank.theory.closed_cm import cm_least_differences
from unirank.theory.closed_pbm import pbm_least_differences


def has_closed_form(users: ClickModel) -> bool:
    """Whether the formulas are those of this click model, and not of one made from it."""
    return type(users) in (PBM, CM)


def closed_least_differences(
    users: ClickModel, n_positions: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Least difference of each two items, and a ranking where it is."""
    if isinstance(users, PBM):
        return pbm_least_differences(users, n_positions)
    if isinstance(users, CM):
        return cm_least_differences(users, n_positions)
    raise ArgumentError(f"users must be of pbm or cm for a closed form, got {users.name}")


def closed_worst_compatible(
    users: ClickModel, order: tuple[tuple[int, ...], ...], n_positions: int
) -> tuple[int, ...]:
    """The ranking compatible with an ordered partition that gets the fewest clicks.

    Of a subset that only partly fits, the least attractive items; and for PBM, the least attractive
    where people look most. (CM gets its clicks in any order: its reward is 1 - prod(1 - theta_k),
    which the paper's proof of Lemma 1 prints with a sum in place of the product.)
    """
    theta = users.attraction
    ranking: list[int] = []
    for subset in order:
        fitting = sorted(subset, key=lambda item: theta[item])[: n_positions - len(ranking)]
        places = np.arange(len(ranking), len(ranking) + len(fitting))
        if isinstance(users, PBM):
            places = places[np.argsort(-users.parameters.examination[places], kind="stable")]
        placed = dict(zip(places.tolist(), fitting, strict=True))
        ranking += [placed[place] for place in sorted(placed)]
    return tuple(ranking)
