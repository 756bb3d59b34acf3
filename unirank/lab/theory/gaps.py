"""The gaps of Theorem 1 and the regret that they bound.

Number the items by the order, 1 > 2 > ... > K > the others, and let l = min(k-1, K). For k = 2..L

    delta*_k = P(c_l != c_k)  in the neighbour of the best partition that tries k against l
    Delta~_k = min over rankings a that show l or k of Delta~_lk(a)
    Delta_k  = mu(1..K) - mu((l,k) o (1..K))

    R(T) <= sum_k 8 Delta_k / (delta*_k Delta~_k^2) ln T + O(ln ln T).

Only one neighbour of ({1}, ..., {K}, others) has l and k in one subset, and the rankings compatible
with it are (1..K) and the same with l and k exchanged, so delta*_k is delta~_lk(1..K). What is
computed is the leading term: the paper does not give the constant of O(ln ln T).

Four places of the paper differ from the theorem's statement, which is what the code follows. Its
table of notation has other neighbours of a partition than its main text, and a remark has
l = min(k-1, L). Its appendix defines Delta_k by the clicks at the two positions only: the same for
PBM and CM, but not for click models in which the exchange changes clicks below. And it ends with
Delta = min_{2..K} delta* Delta~^2 / (8 Delta_k), where the theorem has k = 2..L and no 8.

The appendix also says that Delta~_k is the least over the partitions that UniRank can play with l
and k in one subset. Such a partition mixes rankings, so its difference is at least Delta~_k; it is
equal for PBM and CM, where a partition that has only l and k to choose between, at position K,
reaches it.
"""

from dataclasses import dataclass
from math import log

from unirank.errors import ArgumentError
from unirank.lab.theory.assumptions import Assumptions
from unirank.lab.theory.definition import compared, exchanged
from unirank.users import ClickModel

ROUNDING = 1e-13  # a reward gap below this share of the reward is a difference of equal numbers


@dataclass(frozen=True)
class Gap:
    """How far item k is from the item before it, and the regret of trying it."""

    k: int  # place of the item in the order, 2..n_items
    item: int
    against: int  # the item at place min(k - 1, n_positions)
    probability: float  # delta*_k
    difference: float  # Delta~_k
    reward: float  # Delta_k

    @property
    def constant(self) -> float:
        """Its part of the constant: 8 Delta_k / (delta*_k Delta~_k^2)."""
        if self.reward == 0:
            return 0.0  # trying it costs nothing
        return 8 * self.reward / (self.probability * self.difference**2)


@dataclass(frozen=True)
class Gaps:
    """The gaps of a problem, and Theorem 1's bound."""

    gaps: tuple[Gap, ...]

    @property
    def constant(self) -> float:
        """The factor of ln T."""
        return sum(gap.constant for gap in self.gaps)

    def bound(self, n_rounds: int) -> float:
        """Leading term of the bound on the regret of `n_rounds` rounds."""
        return self.constant * log(n_rounds)


def why_no_bound(assumptions: Assumptions) -> str:
    """Why Theorem 1 gives no finite bound here; empty if it gives one."""
    for broken in (assumptions.optimal_reward, assumptions.strict_total_order):
        if broken.counter_example is not None:
            reason = f"assumption {broken.number} ({broken.name}) fails: "
            return reason + broken.counter_example.sentence
    return ""


def compute_gaps(users: ClickModel, assumptions: Assumptions) -> Gaps:
    """The gaps of Theorem 1, where its assumptions hold."""
    if not assumptions.theorem_applies:
        raise ArgumentError(f"Theorem 1 gives no bound: {why_no_bound(assumptions)}")
    n_positions = assumptions.n_positions
    items = [item for subset in assumptions.order for item in subset]
    best = items[:n_positions]
    found = []
    for place, item in enumerate(items[1:], 1):
        against = items[min(place - 1, n_positions - 1)]
        reward = users.value(best) - users.value(exchanged(best, against, item))
        gap = Gap(
            place + 1,
            item,
            against,
            compared(users, best, against, item).probability,
            float(assumptions.pairs.least_difference[against, item]),
            reward if reward > ROUNDING * users.value(best) else 0.0,
        )
        found.append(gap)
    return Gaps(tuple(found))
