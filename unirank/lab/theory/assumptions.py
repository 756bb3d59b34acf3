"""Check the paper's assumptions on a problem, with a counter-example for each that fails.

The order that the assumptions speak of is `order.finest_order`: i above j where every ranking says
so. It is decided first, and then

    3.1   strict weak order    that relation is one: no cycles, and "neither above" is transitive;
    3.1*  strict total order   each of the first K subsets is a single item;
    3.2   optimal reward       every ranking compatible with the order gets the most clicks;
    3.3   identifiability      for every two items, one is ahead in every ranking or neither in any.

The paper's 3.1 alone is always fulfilled, as the paper says, and 3.3 could be fulfilled by calling
all items equivalent. So 3.1 and 3.3 are read here by their purpose: expected clicks reveal the
order. `some_order` says whether any order, even a coarser one, fulfils the paper's sentences to the
letter; that is so iff 3.2 holds for the finest order. Theorem 1 needs 3.1* and 3.2; two items below
position K about which rankings contradict each other may then be called equivalent.

Lemma 1 says that PBM (positions by decreasing examination) and CM fulfil 3.1, 3.2 and 3.3. It rests
on the paper's rho(a, k) > 0: a position nobody looks at, or a CM item that everybody clicks, breaks
3.3, and the counter-example shows it.
"""

from dataclasses import dataclass

from unirank.lab.theory.counter_examples import (
    CounterExample,
    better_ranking,
    broken_order,
    contradiction,
    tie,
)
from unirank.lab.theory.order import Order, finest_order, relations
from unirank.lab.theory.pairs import Method, Pairs, compare_pairs
from unirank.users import ClickModel


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
