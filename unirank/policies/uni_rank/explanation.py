"""Why UniRank shows what it shows, in words and numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

from numpy.typing import NDArray

from unirank.policies.base.explanation import Explanation, Pair, Step, Try
from unirank.policies.base.leader import ItemId, Leader
from unirank.policies.base.words import clicks, in_braces, joined, of_clicks
from unirank.policies.kernels.indices import kl_ucb
from unirank.policies.uni_rank.pairs import evidence_of, table_of

ABOUT_ORDER = "Each group is ahead of all items below it, by the clicks on just one of two."
ABOUT_PAIRS = "Each is the least sure pair of two groups that follow each other."
FADING = " Older clicks count less than one each."
NEW = "this order is new: too early to be sure"


@dataclass(frozen=True, kw_only=True)
class Neighbour(Step):
    """One step away from the leader: let `behind` meet `ahead` in one subset.

    Of its pairs, (`item`, `rival`) is the most promising: `item` is behind, with `wins` of the
    `comparisons` (rounds in which exactly one of the two was clicked). `index` is its optimistic
    click difference.
    """

    item: ItemId
    rival: ItemId
    wins: float  # whole numbers, unless there is a half-life
    comparisons: float

    def __str__(self) -> str:
        won, compared = _count(self.wins), _count(self.comparisons)
        clicks = "click" if compared == "1" else "clicks"
        return (
            f"{in_braces(self.behind)} against {in_braces(self.ahead)}: {self.item} won {won} of "
            f"{compared} differing {clicks} against {self.rival}, index {self.index:+.3f}"
        )


@dataclass(frozen=True, kw_only=True)
class UniRankExplanation(Explanation):
    """The leader, the neighbours in order, and which of them the next round may try.

    Attributes
    ----------
    leader : tuple of groups of item ids
        The ordered partition; its last group may be below the page.
    n_rounds : int
        How many rounds this leader has led.
    """

    leader: tuple[tuple[ItemId, ...], ...]
    n_rounds: int
    steps: tuple[Neighbour, ...]

    @property
    def neighbours(self) -> tuple[Neighbour, ...]:
        """Merges of groups from the first position down, then additions of an item below."""
        return self.steps

    @property
    def trying(self) -> tuple[Neighbour, ...]:
        """The neighbours of largest index; none if the leader is shown."""
        return tuple(step for step in self.steps if step.tried)

    @property
    def known(self) -> str:
        """What the policy knows, in words; not what the next round shows."""
        rounds = "1 round" if self.n_rounds == 1 else f"{self.n_rounds} rounds"
        lines = [f"leader, for {rounds}: " + " > ".join(map(in_braces, self.leader))]
        return "\n".join([*lines, *(f"  {neighbour}" for neighbour in self.neighbours)])

    def __str__(self) -> str:
        return f"{self.known}\nnext: {self._next()}"

    def _next(self) -> str:
        if not self.neighbours:
            return "the leader; no item is known to be ahead of another yet"
        if not self.trying:
            return "the leader; no neighbour has an index above 0"
        which = " or ".join(f"{in_braces(n.behind)} with {in_braces(n.ahead)}" for n in self.trying)
        chosen = "the largest index" if len(self.trying) == 1 else "tied for the largest index"
        return f"try {which} ({chosen})"


def explanation_of(
    subsets: Sequence[list[int]],
    n_displayed: int,
    wins: NDArray[Any],
    items: tuple[ItemId, ...],
    neighbours: tuple[Neighbour, ...],
    n_rounds: int,
    budget: float,
    *,
    fading: bool,
) -> UniRankExplanation:
    """Explain the leader, whose first `n_displayed` subsets are on the page, by its neighbours."""
    leader = tuple(tuple(items[i] for i in subset) for subset in subsets)
    n_merges = n_displayed - 1
    closest_first = sorted(neighbours[n_merges:], key=lambda step: -step.index)
    order = Leader(leader[:n_displayed], tuple(step.behind[0] for step in closest_first))
    pairs = [pair_of(step, budget, on_page=True) for step in neighbours[:n_merges]]
    pairs += [pair_of(step, budget, on_page=False) for step in closest_first]
    number_of = {item: number for number, item in enumerate(items)}
    in_line = [number_of[item] for item in chain(*order.groups, order.below)]
    return UniRankExplanation(
        order=order,
        pairs=tuple(pairs),
        table=table_of(wins, items, in_line, budget),
        tries=tries_of(neighbours),
        about_order=ABOUT_ORDER,
        about_pairs=ABOUT_PAIRS + FADING * fading,
        leader=leader,
        n_rounds=n_rounds,
        steps=neighbours,
    )


def pair_of(step: Neighbour, budget: float, *, on_page: bool) -> Pair:
    """The most promising pair of a neighbour, from the side of the item that is ahead."""
    won = step.comparisons - step.wins
    evidence = float(evidence_of(step.wins, step.comparisons))
    strength = evidence / budget if budget > 0.0 else 0.0
    return Pair(
        ahead=step.rival,
        behind=step.item,
        wins=won,
        comparisons=step.comparisons,
        strength=strength if won >= step.wins else -strength,
        decided=budget > 0.0 and step.index <= 0.0,
        on_page=on_page,
        low=-step.index if budget > 0.0 else None,
        note="" if budget > 0.0 else NEW,
    )


def tries_of(neighbours: Sequence[Neighbour]) -> tuple[Try, ...]:
    """The neighbours of largest index, each with the same chance; else the leader."""
    trying = [step for step in neighbours if step.tried]
    if not trying:
        why = (
            "Every step away from it is known to be worse."
            if neighbours
            else "No item is known to be ahead of another: tied items are shown in random order."
        )
        return (Try("The order now", why, 1.0),)
    return tuple(
        Try(
            f"{joined(step.behind)} level with {joined(step.ahead)}",
            f"{step.item} may still beat {step.rival}: it won {clicks(step.wins)} of "
            f"{of_clicks(step.comparisons)} on just one of the two, and by what is known its lead "
            f"may be up to {step.index:+.3f}.",
            1.0 / len(trying),
        )
        for step in trying
    )


def neighbours_of(
    subsets: Sequence[Sequence[int]],
    n_displayed: int,
    wins: NDArray[Any],
    items: Sequence[ItemId],
    budget: float,
    *,
    explore_early: bool,
    tried: Sequence[bool],
    fewest: float = 0.0,
) -> tuple[Neighbour, ...]:
    """Merges of consecutive displayed subsets, then each item of the rest with the last of them.

    `tried` says which of them, in this order, the next round may play.
    """
    steps = list(pairwise(subsets[:n_displayed]))
    rest = subsets[n_displayed] if len(subsets) > n_displayed else []
    steps += [(subsets[n_displayed - 1], [item]) for item in rest]
    found = []
    for (ahead, behind), is_tried in zip(steps, tried, strict=True):
        index, i, j = max((_index(wins, i, j, budget, fewest), i, j) for i in ahead for j in behind)
        found.append(
            Neighbour(
                ahead=tuple(items[k] for k in ahead),
                behind=tuple(items[k] for k in behind),
                item=items[j],
                rival=items[i],
                wins=wins[j, i].item(),
                comparisons=(wins[j, i] + wins[i, j]).item(),
                index=1.0 if explore_early and budget <= 0.0 else index,
                tried=is_tried,
            )
        )
    return tuple(found)


def _index(wins: NDArray[Any], i: int, j: int, budget: float, fewest: float) -> float:
    comparisons = float(wins[j, i] + wins[i, j])
    share = float(wins[j, i]) / comparisons
    return 2.0 * float(kl_ucb(share, max(comparisons, fewest), budget)) - 1.0


def _count(number: float) -> str:
    return str(number) if isinstance(number, int) else f"{number:.1f}"
