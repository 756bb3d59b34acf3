"""Counter-examples to the assumptions: items, rankings, and numbers that anyone can check."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.lab.theory.compatible import worst_compatible
from unirank.lab.theory.definition import compared, exchanged
from unirank.lab.theory.order import TOLERANCE, Order, broken_triple
from unirank.lab.theory.pairs import Pairs
from unirank.users import ClickModel


@dataclass(frozen=True)
class CounterExample:
    """A sentence, and what it speaks of."""

    sentence: str
    items: tuple[int, ...] = ()
    rankings: tuple[tuple[int, ...], ...] = ()
    numbers: dict[str, float] = field(default_factory=dict)


def broken_order(pairs: Pairs, more: NDArray[np.bool_]) -> CounterExample | None:
    """Three items that no strict weak order allows, and the ranking that decides each pair."""
    triple = broken_triple(more)
    if triple is None:
        return None
    i, j, k = triple
    sides = [(i, j), (i, k), (k, j)]
    if more[j, k] and more[k, i]:
        sentence = f"a cycle: item {i} is above {j}, {j} above {k}, and {k} above {i}"
        sides = [(i, j), (j, k), (k, i)]
    else:
        sentence = f"item {i} is above {j}, but item {k} is neither below {i} nor above {j}"
    return CounterExample(
        sentence,
        triple,
        tuple(pairs.hardest_ranking(*side) for side in sides),
        {f"least {a} over {b}": float(pairs.least_difference[a, b]) for a, b in sides},
    )


def tie(users: ClickModel, pairs: Pairs, order: Order) -> CounterExample | None:
    """Two items in one of the first K subsets, and where the one is not ahead of the other."""
    crowded = next((subset for subset in order[: pairs.n_positions] if len(subset) > 1), None)
    if crowded is None:
        return None
    least = pairs.least_difference[np.ix_(crowded, crowded)] + 3 * np.eye(len(crowded))
    # The pair that is nearest to being told apart is no use: show the one that is furthest from it.
    a, b = np.unravel_index(np.maximum(least, least.T).argmin(), least.shape)
    i, j = sorted((crowded[a], crowded[b]))
    if pairs.least_difference[i, j] < pairs.least_difference[j, i]:
        i, j = j, i
    ranking = pairs.hardest_ranking(i, j)
    seen = compared(users, ranking, i, j)
    place = sum(len(subset) for subset in order[: order.index(crowded)]) + 1
    if np.abs(least[np.ix_([a, b], [b, a])].diagonal()).max() <= TOLERANCE:
        sentence = f"no ranking tells items {i} and {j} apart, and they share place {place}"
    elif seen.difference > TOLERANCE:
        sentence = f"items {i} and {j} share place {place}, {i} always ahead, but see 3.1"
    else:
        sentence = (
            f"items {i} and {j} share place {place} of the order: item {i} is ahead by "
            f"{seen.difference:.3g} in {list(ranking)}"
        )
    return CounterExample(
        sentence,
        (i, j),
        (ranking,),
        {"probability": seen.probability, "difference": seen.difference},
    )


def better_ranking(users: ClickModel, pairs: Pairs, order: Order) -> CounterExample | None:
    """A compatible ranking and a better one."""
    worst = worst_compatible(users, order, pairs.n_positions, pairs.method)
    best = best_known(users, worst)
    clicks, most = users.value(worst), users.value(best)
    if clicks >= most * (1 - TOLERANCE):
        return None
    return CounterExample(
        f"{list(worst)} is compatible with the order and gets {clicks:.6g} clicks, "
        f"{list(best)} gets {most:.6g}",
        rankings=(worst, best),
        numbers={"clicks": clicks, "most clicks": most},
    )


def contradiction(
    users: ClickModel, pairs: Pairs, mixed: NDArray[np.bool_]
) -> CounterExample | None:
    """Two items and two rankings: one puts the first ahead, the other does not."""
    if not mixed.any():
        return None
    # The pair with the clearest two sides, and of it the direction that is true more strongly.
    spread = np.where(mixed, pairs.least_difference + pairs.least_difference.T, np.inf)
    i, j = (int(item) for item in np.unravel_index(spread.argmin(), spread.shape))
    if pairs.least_difference[j, i] > pairs.least_difference[i, j]:
        i, j = j, i
    against, favour = pairs.hardest_ranking(i, j), pairs.hardest_ranking(j, i)
    here, there = compared(users, against, i, j), compared(users, favour, i, j)
    silent = " as their clicks never differ" if here.probability == 0 else ""
    return CounterExample(
        f"item {i} is ahead of {j} by {there.difference:.3g} in {list(favour)}, and by "
        f"{here.difference:.3g} in {list(against)}{silent}",
        (i, j),
        (against, favour),
        {
            "probability": here.probability,
            "difference": here.difference,
            "difference elsewhere": there.difference,
        },
    )


def best_known(users: ClickModel, start: tuple[int, ...]) -> tuple[int, ...]:
    """Return the best ranking or, if it cannot be searched for, the best by exchanges from `start`.

    A ranking found by exchanges can only prove that `start` is not the best.
    """
    try:
        return users.best_ranking(len(start))
    except ArgumentError:  # no formula for the best ranking, and too many rankings to try
        best = start
    while True:
        others = [item for item in range(users.n_items) if item not in best]
        ways = [exchanged(best, i, j) for i in best for j in (*best, *others) if i != j]
        better = max(ways, key=users.value, default=best)
        if users.value(better) <= users.value(best):
            return best
        best = better
