"""The least that any ranking tells about two items under PBM, from its formulas.

With D = theta_i - theta_j and S = theta_i + theta_j, a ranking that shows only one of the two has

    Delta~_ij = D / S

(if anyone looks at it). One that shows both, at positions k and l, has, for independent clicks and
for common ones,

    Delta~_ij = (kappa_k + kappa_l) D / ((kappa_k + kappa_l) S - 4 kappa_k kappa_l theta_i theta_j)
    Delta~_ij = (kappa_k + kappa_l) D / (|kappa_k theta_i - kappa_l theta_j|
                                         + |kappa_l theta_i - kappa_k theta_j|).

Both are at least |D| / S in size. The other items do not matter.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.click_models import PBM


def pbm_least_differences(
    users: PBM, n_positions: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Least difference of each two items, and a ranking where it is."""
    theta = users.attraction
    kappa = users.examination[:n_positions]
    difference, total = np.subtract.outer(theta, theta), np.add.outer(theta, theta)
    places: list[tuple[int, int | None]] = []
    ratios = []
    if users.n_items > n_positions:
        for k in range(n_positions):
            places.append((k, None))
            ratios.append(_ratio(kappa[k] * difference, kappa[k] * total))
    for k in range(n_positions):
        for l in range(k + 1, n_positions):  # noqa: E741 - the paper's name
            looks = kappa[k] + kappa[l]
            if users.coupling == "common":
                first, second = kappa[k] * theta, kappa[l] * theta
                apart = abs(np.subtract.outer(first, second))
                apart += abs(np.subtract.outer(second, first))
            else:
                apart = looks * total - 4 * kappa[k] * kappa[l] * np.multiply.outer(theta, theta)
            places.append((k, l))
            ratios.append(_ratio(looks * difference, apart))
    if not ratios:  # one item at one position
        return np.zeros((1, 1)), np.zeros((1, 1, 1), np.int64)
    stacked = np.array(ratios)
    chosen = stacked.argmin(axis=0)
    hardest = np.array(
        [
            [
                _placed(users.n_items, n_positions, i, j, *places[chosen[i, j]])
                for j in range(users.n_items)
            ]
            for i in range(users.n_items)
        ]
    )
    return stacked.min(axis=0), hardest


def _ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """above / below, and 0 where the clicks on the two never differ."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def _placed(n_items: int, n_positions: int, i: int, j: int, k: int, l: int | None) -> list[int]:  # noqa: E741
    """A ranking with i at k, and j at l or nowhere."""
    others = iter(item for item in range(n_items) if item not in (i, j))
    wanted = {k: i} if l is None else {k: i, l: j}
    return [wanted[p] if p in wanted else next(others, i) for p in range(n_positions)]
