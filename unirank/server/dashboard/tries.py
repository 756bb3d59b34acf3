"""What the next visitors may see instead of the order, and why."""

from dataclasses import dataclass
from typing import Any

from unirank.policies.match_rank.explanation import Explanation as MatchRankExplanation
from unirank.policies.uni_rank.explanation import Explanation as UniRankExplanation
from unirank.server.dashboard.formats import clicks, joined, of_clicks, percent, signed

MOST = 3  # examples of a kind
ARROW = " \N{RIGHTWARDS ARROW} "


@dataclass(frozen=True)
class Try:
    """A kind of list, its chance where it is known, and examples."""

    title: str
    why: str
    share: float | None = None
    examples: tuple[str, ...] = ()


def tries_of(explanation: Any) -> list[Try] | None:
    """What is tried; None if the policy does not say."""
    if isinstance(explanation, MatchRankExplanation):
        return _of_match_rank(explanation)
    if isinstance(explanation, UniRankExplanation):
        return _of_uni_rank(explanation)
    return None


def _of_match_rank(found: MatchRankExplanation) -> list[Try]:
    likely = sorted(found.tests, key=lambda test: -test.chance)[:MOST]
    kinds = [
        Try("The order now", "It is the best one so far.", found.leader_chance),
        Try(
            "Another order that may be better",
            "As often as it may be the best one, by the click rates that are believed.",
            1.0 - found.kept,
            tuple(
                f"{ARROW.join(map(str, items))} ({percent(share)})"
                for items, share in found.other_lists[:MOST]
            ),
        ),
        Try(
            "The order with one pair swapped",
            "A fair test of the two, which holds however people click.",
            found.test_chance,
            tuple(
                f"{test.behind} {'above' if test.on_page else 'in place of'} {test.ahead} "
                f"({percent(found.kept * test.chance)})"
                for test in likely
            ),
        ),
    ]
    return [kinds[0], *(kind for kind in kinds[1:] if kind.share)]


def _of_uni_rank(found: UniRankExplanation) -> list[Try]:
    if not found.trying:
        why = (
            "Every step away from it is known to be worse."
            if found.neighbours
            else "No item is known to be ahead of another: tied items are shown in random order."
        )
        return [Try("The order now", why)]
    return [
        Try(
            f"{joined(pair.behind)} level with {joined(pair.ahead)}",
            f"{pair.item} may still beat {pair.rival}: it won {clicks(pair.wins)} of "
            f"{of_clicks(pair.comparisons)} on just one of the two, and by what is known its lead "
            f"may be up to {signed(pair.index)}.",
        )
        for pair in found.trying[:MOST]
    ]
