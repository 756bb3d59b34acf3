"""Why UniRank shows what it shows, in words and numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from numpy.typing import NDArray

from unirank.policies.kernels.indices import kl_ucb

ItemId = int | str


@dataclass(frozen=True)
class Neighbour:
    """One step away from the leader: let `behind` meet `ahead` in one subset.

    Of its pairs, (`item`, `rival`) is the most promising: `item` is behind, with `wins` of the
    `comparisons` (rounds in which exactly one of the two was clicked). `index` is its optimistic
    click difference; above 0 the neighbour is worth trying.
    """

    ahead: tuple[ItemId, ...]
    behind: tuple[ItemId, ...]
    item: ItemId
    rival: ItemId
    wins: float  # whole numbers, unless there is a half-life
    comparisons: float
    index: float

    def __str__(self) -> str:
        won, compared = _count(self.wins), _count(self.comparisons)
        clicks = "click" if compared == "1" else "clicks"
        return (
            f"{_names(self.behind)} against {_names(self.ahead)}: {self.item} won {won} of "
            f"{compared} differing {clicks} against {self.rival}, index {self.index:+.3f}"
        )


@dataclass(frozen=True)
class Explanation:
    """The leader, the neighbours in order, and which of them the next round may try."""

    leader: tuple[tuple[ItemId, ...], ...]
    n_rounds: int  # so far with this leader
    neighbours: tuple[Neighbour, ...]
    trying: tuple[Neighbour, ...]  # those of largest index; none: the leader is shown

    @property
    def known(self) -> str:
        """What the policy knows, in words; not what the next round shows."""
        rounds = "1 round" if self.n_rounds == 1 else f"{self.n_rounds} rounds"
        lines = [f"leader, for {rounds}: " + " > ".join(map(_names, self.leader))]
        return "\n".join([*lines, *(f"  {neighbour}" for neighbour in self.neighbours)])

    def __str__(self) -> str:
        return f"{self.known}\nnext: {self._next()}"

    def _next(self) -> str:
        if not self.neighbours:
            return "the leader; no item is known to be ahead of another yet"
        if not self.trying:
            return "the leader; no neighbour has an index above 0"
        which = " or ".join(f"{_names(n.behind)} with {_names(n.ahead)}" for n in self.trying)
        chosen = "the largest index" if len(self.trying) == 1 else "tied for the largest index"
        return f"try {which} ({chosen})"


def neighbours_of(
    subsets: Sequence[Sequence[int]],
    n_displayed: int,
    wins: NDArray[Any],
    items: Sequence[ItemId],
    budget: float,
    *,
    explore_early: bool,
    fewest: float = 0.0,
) -> tuple[Neighbour, ...]:
    """Merges of consecutive displayed subsets, then each item of the rest with the last of them."""
    steps = list(pairwise(subsets[:n_displayed]))
    rest = subsets[n_displayed] if len(subsets) > n_displayed else []
    steps += [(subsets[n_displayed - 1], [item]) for item in rest]
    found = []
    for ahead, behind in steps:
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
            )
        )
    return tuple(found)


def _index(wins: NDArray[Any], i: int, j: int, budget: float, fewest: float) -> float:
    comparisons = float(wins[j, i] + wins[i, j])
    share = float(wins[j, i]) / comparisons
    return 2.0 * float(kl_ucb(share, max(comparisons, fewest), budget)) - 1.0


def _count(number: float) -> str:
    return str(number) if isinstance(number, int) else f"{number:.1f}"


def _names(items: Sequence[ItemId]) -> str:
    return str(items[0]) if len(items) == 1 else "{" + ", ".join(map(str, items)) + "}"
