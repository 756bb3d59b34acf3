"""The steps that UniRank considers next to its leader: how an arrow for one looks, what it says.

A step lets a group meet the next. It stands for the least sure pair of the two, i ahead of j, the
one of largest index: 2 kl_ucb - 1 for j against i, so that s_ij is likely at least minus the index.
The step is sure when that is not below 0; while the leader is new (budget 0), none is.
"""

from typing import Any

from unirank.plots.canvas import MINUS, OPEN, SURE, shortened
from unirank.policies.base.leader import ItemId
from unirank.policies.uni_rank.explanation import Neighbour
from unirank.policies.uni_rank.pairs import budget_of, evidence_of
from unirank.policies.uni_rank.policy import UniRank

WIDTHS = (0.7, 2.4)  # points of an arrow: without evidence, and with all that is needed
DASHES = (0, (2, 1))
LONGEST_NAME = 0.42  # inches of an item in a sentence


class Steps:
    """What `explain` says of the next round: none at all for a policy that compares lists."""

    def __init__(self, policy: Any) -> None:
        self.all: tuple[Neighbour, ...] = ()
        self.trying: tuple[Neighbour, ...] = ()
        self.budget = 0.0
        if isinstance(policy, UniRank):
            explanation = policy.explain()
            self.all, self.trying = explanation.neighbours, explanation.trying
            self.budget = budget_of(policy)

    def to(self, item: ItemId) -> Neighbour:
        """The step that lets this one item of those below the page meet the last group."""
        return next(step for step in reversed(self.all) if step.behind == (item,))

    def is_sure(self, step: Neighbour) -> bool:
        return self.budget > 0.0 and step.index <= 0.0

    def look_of(self, step: Neighbour) -> dict[str, Any]:
        """Wider with the evidence, blue and solid once there is enough."""
        share = 0.0
        if self.budget > 0.0:
            share = min(evidence_of(step.wins, step.comparisons) / self.budget, 1.0)
        return look(self.is_sure(step), WIDTHS[0] + share * (WIDTHS[1] - WIDTHS[0]))

    def words_of(self, step: Neighbour) -> tuple[str, str]:
        names = [shortened(str(item), LONGEST_NAME) for item in (step.rival, step.item)]
        n_won = step.comparisons - step.wins
        first = f"{names[0]} beats {names[1]}: {n_won:,} of {step.comparisons:,}"
        second = f"ŝ {signed(1 - 2 * step.wins / step.comparisons)}"
        if self.budget > 0.0:
            second += f", at least {signed(-step.index)}"
        if step in self.trying:
            second += "; tried next"
        return first, second


def look(sure: bool, width: float) -> dict[str, Any]:
    if sure:
        return {"color": SURE, "linewidth": width, "zorder": 5}
    return {"color": OPEN, "linewidth": width, "linestyle": DASHES, "zorder": 6}


def signed(number: float) -> str:
    """A number with its sign, as it is printed: a real minus, and no minus before a zero."""
    words = f"{number:+.2f}"
    return "0.00" if float(words) == 0.0 else words.replace("-", MINUS)
