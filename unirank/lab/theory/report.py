"""Assumptions, gaps and bounds of one problem, in one object and as plain data."""

from dataclasses import asdict, dataclass
from math import log
from typing import Any

from unirank.lab.theory.assumptions import Assumptions, check_assumptions
from unirank.lab.theory.gaps import Gaps, compute_gaps, why_no_bound
from unirank.lab.theory.known_bounds import Bound, known_orders, other_bounds, unirank_bounds
from unirank.lab.theory.most_clicked import Lists, compare_lists
from unirank.lab.theory.order import relations
from unirank.lab.theory.pairs import Method
from unirank.lab.theory.unimodality import dead_ends
from unirank.users import ClickModel

DECADES = tuple(10**k for k in range(3, 10))
MOST_ITEMS = 6  # of a problem whose leaders are all tried, in well under a second


@dataclass(frozen=True)
class Report:
    """Assumptions, gaps and bounds of one problem."""

    users: ClickModel
    assumptions: Assumptions
    gaps: Gaps | None  # None where Theorem 1 does not apply
    why_no_bound: str
    bounds: list[Bound]
    orders: dict[str, str]  # of bounds, by policy
    n_dead_ends: int | None  # leaders that contradict Lemma 2; None where they were not tried
    lists: Lists | None  # the most clicked beside the one by attraction; None if not known

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        found, pairs = self.assumptions, self.assumptions.pairs
        return {
            "click_model": self.users.name,
            "n_items": self.users.n_items,
            "n_positions": found.n_positions,
            "method": pairs.method,
            "n_rankings": pairs.n_rankings,
            "most_exceptions": pairs.most_exceptions,
            "order": [list(subset) for subset in found.order],
            "assumptions": [
                {
                    "number": each.number,
                    "name": each.name,
                    "holds": each.holds,
                    "counter_example": each.counter_example and asdict(each.counter_example),
                }
                for each in found.all
            ],
            "some_order": found.some_order,
            "theorem_applies": found.theorem_applies,
            "n_dead_ends": self.n_dead_ends,
            "why_no_bound": self.why_no_bound,
            "gaps": []
            if self.gaps is None
            else [vars(gap) | {"constant": gap.constant} for gap in self.gaps.gaps],
            "bounds": [
                bound._asdict()
                | {"at": {str(n_rounds): bound.constant * log(n_rounds) for n_rounds in DECADES}}
                for bound in self.bounds
            ],
            "orders": self.orders,
            "lists": self.lists and asdict(self.lists),
        }


def examine(users: ClickModel, n_positions: int, *, method: Method | None = None) -> Report:
    """Check the assumptions of a problem and compute what they allow."""
    found = check_assumptions(users, n_positions, method=method)
    n_dead_ends = None
    if found.theorem_applies and users.n_items <= MOST_ITEMS:
        more = relations(found.pairs.least_difference).more
        n_dead_ends = len(dead_ends(found.n_positions, found.order, more))
    return Report(
        users,
        found,
        compute_gaps(users, found) if found.theorem_applies else None,
        why_no_bound(found),
        unirank_bounds(users, found) + other_bounds(users, found),
        known_orders(users),
        n_dead_ends,
        compare_lists(users, found.n_positions),
    )
