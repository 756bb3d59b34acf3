"""Who is ahead of whom, on what evidence: UniRank's pairs and MatchRank's tests in one shape."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from unirank.policies.base.leader import Leader
from unirank.policies.kernels.indices import budget
from unirank.policies.match_rank.explanation import Explanation as MatchRankExplanation
from unirank.policies.match_rank.explanation import PairTest
from unirank.policies.uni_rank.explanation import Explanation as UniRankExplanation
from unirank.policies.uni_rank.explanation import Neighbour
from unirank.policies.uni_rank.pairs import evidence_of
from unirank.server.view import ItemId

MOST_ON_PAGE, MOST_BELOW = 20, 8  # drawn
Verdict = Literal["sure", "open", "against", "unseen"]


@dataclass(frozen=True)
class Comparison:
    """The leader has `ahead` above `behind`.

    Of the views in which just one of the two was clicked, `of` in number, `ahead` won `won`.
    `strength` is the evidence for `ahead`: 1 makes sure, below 0 it speaks for `behind`.
    """

    ahead: ItemId
    behind: ItemId
    won: float
    of: float
    strength: float
    sure: bool
    below: bool  # `behind` is not on the page
    note: str = ""

    @property
    def verdict(self) -> Verdict:
        if self.sure:
            return "sure"
        if not self.of:
            return "unseen"
        return "against" if self.strength < 0.0 else "open"


def weighted(comparisons: Sequence[Comparison] | None) -> bool:
    """Whether any number of clicks is a fraction."""
    return any(one.won % 1 or one.of % 1 for one in comparisons or ())


def comparisons_of(
    policy: Any, explanation: Any, leader: Leader, present: Sequence[ItemId]
) -> list[Comparison] | None:
    """Neighbours in the leader, then its last item against those below; None if not compared."""
    if isinstance(explanation, MatchRankExplanation):
        found = [_of_test(test, explanation) for test in explanation.tests]
    elif isinstance(explanation, UniRankExplanation):
        needed = float(budget(explanation.n_rounds, policy.state.loglog_weight))
        below = set(leader.below)
        found = [
            _of_neighbour(pair, needed, below.issuperset(pair.behind))
            for pair in explanation.neighbours
        ]
    else:
        return None
    there = set(present)
    found = [one for one in found if one.ahead in there and one.behind in there]
    on_page = [one for one in found if not one.below]
    rivals = sorted((one for one in found if one.below), key=lambda one: one.strength)
    return on_page[:MOST_ON_PAGE] + rivals[:MOST_BELOW]


def _of_test(test: PairTest, explanation: MatchRankExplanation) -> Comparison:
    note = ""
    if test.overrules:
        note = f"the tests overrule the model, which prefers {test.behind}"
    return Comparison(
        ahead=test.ahead,
        behind=test.behind,
        won=test.wins,
        of=test.comparisons,
        strength=test.z / explanation.z_to_decide,
        sure=test.decided,
        below=not test.on_page,
        note=note,
    )


def _of_neighbour(pair: Neighbour, needed: float, below: bool) -> Comparison:
    won = pair.comparisons - pair.wins
    evidence = evidence_of(pair.wins, pair.comparisons)
    strength = evidence / needed if needed > 0.0 else 0.0
    return Comparison(
        ahead=pair.rival,
        behind=pair.item,
        won=won,
        of=pair.comparisons,
        strength=strength if won >= pair.wins else -strength,
        sure=needed > 0.0 and pair.index <= 0.0,
        below=below,
        note="" if needed > 0.0 else "this order is new: too early to be sure",
    )
