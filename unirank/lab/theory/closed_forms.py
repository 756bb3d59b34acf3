"""The least difference of two items under PBM and CM, from formulas.

The two click models of the paper's Lemma 1 have formulas for everything. With D = theta_i - theta_j
and S = theta_i + theta_j, a PBM ranking that shows only one of the two has

    Delta~_ij = D / S

(if anyone looks at it). One that shows both, at positions k and l, has, for independent clicks and
for common ones,

    Delta~_ij = (kappa_k + kappa_l) D / ((kappa_k + kappa_l) S - 4 kappa_k kappa_l theta_i theta_j)
    Delta~_ij = (kappa_k + kappa_l) D / (|kappa_k theta_i - kappa_l theta_j|
                                         + |kappa_l theta_i - kappa_k theta_j|).

Under CM, with B the chance to read on past what stands between the two (0 if only one is shown),

    Delta~_ij = D / (S - 2 B / (1 + B) theta_i theta_j)

wherever users get to read either of them. All of these are at least |D| / S in size, the number
that the corollaries print. It is reached where one of the two is left out, so if L > K. With L = K
the least is that of the two positions seen least (PBM), or of the first and the last position (CM).
"""

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.users import CM, PBM, ClickModel


def has_closed_form(users: ClickModel) -> bool:
    """Whether this is a PBM or CM itself, not a subclass, which may have other kernels."""
    return type(users) in (PBM, CM)


def closed_least_differences(
    users: ClickModel, n_positions: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Least difference of each two items, and a ranking where it is."""
    if isinstance(users, PBM):
        return _pbm_least_differences(users, n_positions)
    if isinstance(users, CM):
        return _cm_least_differences(users, n_positions)
    raise ArgumentError(f"users must be of pbm or cm for a closed form, got {users.name}")


def closed_worst_compatible(
    users: ClickModel, order: tuple[tuple[int, ...], ...], n_positions: int
) -> tuple[int, ...]:
    """The ranking compatible with an ordered partition that gets the fewest clicks.

    A subset that only partly fits shows its least attractive items; under PBM, the least attractive
    item of a subset stands where people look most. (CM gets its clicks in any order: its reward is
    1 - prod(1 - theta_k), which the paper's proof of Lemma 1 prints with a sum in place of the
    product.)
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


def _pbm_least_differences(
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


def _cm_least_differences(
    users: CM, n_positions: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Least difference of each two items, and a ranking where it is."""
    theta = users.attraction
    n_items = users.n_items
    least = np.zeros((n_items, n_items))
    hardest = np.zeros((n_items, n_items, n_positions), np.int64)
    always = np.flatnonzero(theta == 1.0).tolist()
    first = range(min(n_items, n_positions + 2))  # enough to fill a ranking beside i and j
    for i in range(n_items):
        for j in range(n_items):
            if i == j:
                continue
            others = [item for item in first if item not in (i, j)]
            sure = [item for item in always if item not in (i, j)]
            difference, total = theta[i] - theta[j], theta[i] + theta[j]
            both = theta[i] * theta[j]
            shown = [i, *others]
            if difference < 0:  # j is ahead the most where the two follow each other
                shown = [i, j, *others]
                total -= both if n_positions > 1 else 0.0
            elif sure and n_positions > 1:  # nobody reads past an item that is always clicked
                shown = [sure[0], i, *(item for item in others if item != sure[0]), j]
                difference = 0.0
            elif n_items == n_positions:
                shown = [i, *others, j]
                between = float(np.prod(1.0 - theta[others]))
                total -= 2 * between / (1 + between) * both
            least[i, j] = difference / total if total > 0 else 0.0
            hardest[i, j] = shown[:n_positions]
    return least, hardest
