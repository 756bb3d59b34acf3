"""Does UniRank apply? The paper's assumptions on a problem, each with a counter-example if broken.

The order that the assumptions speak of is `order.finest_order`: i above j where every ranking says
so. It is decided first, and then

    3.1   strict weak order    that relation is one: no cycles, and "neither above" is transitive;
    3.1*  strict total order   each of the first K subsets is a single item;
    3.2   optimal reward       every ranking compatible with the order gets the most clicks;
    3.3   identifiability      for every two items, one is ahead in every ranking or neither in any.

The paper's 3.1 alone asks for nothing, as the paper says: any numbers are a preferential attachment
g, and 3.3 could be had for all items being equivalent. So 3.1 and 3.3 are read here as what they
are for, that expected clicks tell the order; and `some_order` says whether there is any order, even
a coarser one, for which the paper's sentences hold to the letter: that is so iff 3.2 holds for the
finest order. Theorem 1 needs 3.1* and 3.2; two items below position K that rankings contradict each
other about may then be called equivalent.

Lemma 1 says that PBM (positions by decreasing examination) and CM fulfil 3.1, 3.2 and 3.3. It rests
on the paper's rho(a, k) > 0: a position nobody looks at, or a CM item that everybody clicks, breaks
3.3, and the counter-example shows it.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from unirank.click_models import ClickModel
from unirank.theory.compatible import best_known, worst_compatible
from unirank.theory.definition import compared
from unirank.theory.order import TOLERANCE, Order, broken_triple, finest_order, relations
from unirank.theory.pairs import Method, Pairs, compare_pairs


@dataclass(frozen=True)
class CounterExample:
    """What breaks an assumption: items, rankings, and the numbers that anyone can check."""

    sentence: str
    items: tuple[int, ...] = ()
    rankings: tuple[tuple[int, ...], ...] = ()
    numbers: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Assumption:
    """One assumption of the paper and whether it holds."""

    number: str
    name: str
    counter_example: CounterExample | None = None

    @property
    def holds(self) -> bool:
        return self.counter_example is None


@dataclass(frozen=True)
class Assumptions:
    """All assumptions on one problem, with the order of the items they were decided on."""

    n_positions: int
    order: Order
    pairs: Pairs
    strict_weak_order: Assumption
    strict_total_order: Assumption
    optimal_reward: Assumption
    identifiability: Assumption

    @property
    def all(self) -> tuple[Assumption, ...]:
        return (
            self.strict_weak_order,
            self.strict_total_order,
            self.optimal_reward,
            self.identifiability,
        )

    @property
    def some_order(self) -> bool:
        """Whether some strict weak order satisfies 3.1, 3.2 and 3.3 to the letter."""
        return self.optimal_reward.holds

    @property
    def theorem_applies(self) -> bool:
        """Whether some order satisfies 3.1*, 3.2 and 3.3: those of Theorem 1."""
        return self.strict_total_order.holds and self.optimal_reward.holds


def check_assumptions(
    users: ClickModel, n_positions: int, *, method: Method | None = None
) -> Assumptions:
    """Decide every assumption for these users and so many positions."""
    pairs = compare_pairs(users, n_positions, method=method)
    known = relations(pairs.least_difference)
    order = finest_order(known.more)
    return Assumptions(
        pairs.n_positions,
        order,
        pairs,
        Assumption("3.1", "strict weak order", broken_order(pairs, known.more)),
        Assumption("3.1*", "strict total order on the top K", tie(users, pairs, order)),
        Assumption("3.2", "optimal reward", better_ranking(users, pairs, order)),
        Assumption("3.3", "identifiability", contradiction(users, pairs, known.mixed)),
    )


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
