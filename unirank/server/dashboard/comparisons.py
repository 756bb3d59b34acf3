"""Who is ahead of whom, on what evidence: the pairs of an explanation that are drawn."""

from typing import Literal

from unirank.policies.base.explanation import Explanation, Pair

MOST_ON_PAGE, MOST_BELOW = 20, 8  # drawn
Verdict = Literal["sure", "open", "against", "unseen"]


def comparisons_of(explanation: Explanation) -> list[tuple[Pair, Verdict]] | None:
    """Neighbours in the order, then items below the page; None if no pairs are compared."""
    if explanation.pairs is None:
        return None
    drawn = explanation.neighbouring[:MOST_ON_PAGE] + explanation.against_below[:MOST_BELOW]
    return [(pair, verdict_of(pair)) for pair in drawn]


def verdict_of(pair: Pair) -> Verdict:
    """What the evidence says of a pair."""
    if pair.decided:
        return "sure"
    if not pair.comparisons:
        return "unseen"
    return "against" if pair.strength < 0.0 else "open"
