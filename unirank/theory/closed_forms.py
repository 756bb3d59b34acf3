"""The least that any ranking tells about two items under PBM and CM, from their formulas.

With D = theta_i - theta_j and S = theta_i + theta_j, a ranking that shows only one of the two has

    Delta~_ij = D / S

(if users see it at all). One that shows both, at positions k < l, has for PBM and its common clicks

    Delta~_ij = (kappa_k + kappa_l) D / ((kappa_k + kappa_l) S - 4 kappa_k kappa_l theta_i theta_j)
    Delta~_ij = (kappa_k + kappa_l) D / (|kappa_k theta_i - kappa_l theta_j|
                                         + |kappa_l theta_i - kappa_k theta_j|)

and for CM, with B the chance to read on past what stands between them,

    Delta~_ij = D / (S - 2 B / (1 + B) theta_i theta_j).

All of these are at least |D| / S in size, which is how the corollaries bound Delta~_k. The bound is
reached where one item can be left out, L > K. With L = K it is not, and the least is that of the
two positions seen least (PBM), or of the first and the last position (CM).
"""

import numpy as np
from numpy.typing import NDArray

from unirank.click_models import CM, PBM, ClickModel

Least = tuple[NDArray[np.float64], NDArray[np.int64]]


def has_closed_form(users: ClickModel) -> bool:
    """Whether the formulas are those of this click model, and not of one made from it."""
    return type(users) in (PBM, CM)


def closed_least_differences(users: ClickModel, n_positions: int) -> Least:
    """Least difference of each two items, and a ranking where it is."""
    search = _position_based if isinstance(users, PBM) else _cascade
    return search(users, n_positions)


def _position_based(users: ClickModel, n_positions: int) -> Least:
    theta = users.parameters.attraction
    kappa = users.parameters.examination[:n_positions]
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
            if users.parameters.common:
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
                for j in _items(users)
            ]
            for i in _items(users)
        ]
    )
    return stacked.min(axis=0), hardest


def _cascade(users: ClickModel, n_positions: int) -> Least:
    theta = users.parameters.attraction
    n_items = users.n_items
    least = np.zeros((n_items, n_items))
    hardest = np.zeros((n_items, n_items, n_positions), np.int64)
    for i in range(n_items):
        for j in range(n_items):
            if i == j:
                continue
            others = [item for item in range(n_items) if item not in (i, j)]
            sure = [item for item in others if theta[item] == 1.0]
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


def _ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """above / below, and 0 where the clicks on the two never differ."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def _items(users: ClickModel) -> range:
    return range(users.n_items)


def _placed(n_items: int, n_positions: int, i: int, j: int, k: int, l: int | None) -> list[int]:  # noqa: E741
    """A ranking with i at k, and j at l or nowhere."""
    others = iter(item for item in range(n_items) if item not in (i, j))
    wanted = {k: i} if l is None else {k: i, l: j}
    return [wanted[p] if p in wanted else next(others, i) for p in range(n_positions)]


def closed_worst_compatible(
    users: ClickModel, order: tuple[tuple[int, ...], ...], n_positions: int
) -> tuple[int, ...]:
    """The ranking compatible with an ordered partition that gets the fewest clicks.

    Of a subset that only partly fits, the least attractive items; and for PBM, the least attractive
    where people look most. (CM gets its clicks in any order: its reward is 1 - prod(1 - theta_k),
    which the paper's proof of Lemma 1 prints with a sum in place of the product.)
    """
    theta = users.parameters.attraction
    ranking: list[int] = []
    for subset in order:
        fitting = sorted(subset, key=lambda item: theta[item])[: n_positions - len(ranking)]
        places = np.arange(len(ranking), len(ranking) + len(fitting))
        if isinstance(users, PBM):
            places = places[np.argsort(-users.parameters.examination[places], kind="stable")]
        placed = dict(zip(places.tolist(), fitting, strict=True))
        ranking += [placed[place] for place in sorted(placed)]
    return tuple(ranking)
