"""What a policy says of itself, in one shape for every policy.

An `Explanation` has an order of the items, evidence of pairs of items, and what is tried next, each
with a sentence in the policy's own words. The dashboard, the figures and `print` draw it without
asking which policy gave it. A part that a policy does not give is None.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.leader import ItemId, Leader, leader_of
from unirank.policies.base.words import clicks, in_braces, percent, short, wrapped

MOST_ROWS = 20  # of a part, printed; the fields hold more
NOUNS = {
    "order": "order of the items",
    "pairs": "evidence of pairs of items",
    "table": "table of every pair",
    "steps": "list of steps away from its order",
    "tries": "word on what it tries next",
}  # what an explanation may lack


@dataclass(frozen=True)
class Belief:
    """A most likely value with its 95 % interval.

    Attributes
    ----------
    of : item id
        The item; of a position its number, counted from 1.
    value, low, high : float
        The most likely value, and the ends of the interval.
    """

    of: ItemId
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{short(self.value)} ({short(self.low)} to {short(self.high)})"


@dataclass(frozen=True)
class Pair:
    """What is known of two items, of which the order has `ahead` above `behind`.

    Attributes
    ----------
    ahead, behind : item id
        The two items.
    wins : float
        How many of the differing clicks, those on just one of the two, went to `ahead`.
    comparisons : float
        How many differing clicks there were. Weighted clicks are fractions.
    strength : float
        The evidence for `ahead`: 1 is what decides, and below 0 it speaks for `behind`.
    decided : bool
        Whether the evidence is enough to say which of the two is better.
    on_page : bool
        Whether both items are on the page; otherwise only `ahead` is.
    low : float or None
        The least that the lead of `ahead` may be, of wins minus losses over comparisons.
    chance : float or None
        Chance that the next round, if it begins with the order, swaps the two to test them.
    note : str
        What else to say, as half a sentence.
    """

    ahead: ItemId
    behind: ItemId
    wins: float
    comparisons: float
    strength: float
    decided: bool = False
    on_page: bool = True
    low: float | None = None
    chance: float | None = None
    note: str = ""

    def __str__(self) -> str:
        words = f"{self.ahead} > {self.behind}: "
        if not self.comparisons:
            return words + "no differing click yet"
        won = f"won {clicks(self.wins)} of {clicks(self.comparisons)} differing clicks"
        return f"{words}the first {won}{', which decides' * self.decided}"


@dataclass(frozen=True)
class Step:
    """One step away from the order: `behind` joins `ahead` in one group of tied items.

    Attributes
    ----------
    ahead, behind : tuple of item ids
        Two groups that follow each other, or the last group and an item below the page.
    index : float
        How far ahead those behind may be, at most; above 0 the step is worth trying.
    tried : bool
        Whether the next round may take it.
    """

    ahead: tuple[ItemId, ...]
    behind: tuple[ItemId, ...]
    index: float
    tried: bool


@dataclass(frozen=True)
class Example:
    """A list, or a part of one, that the next round may show, with its chance."""

    text: str
    chance: float


@dataclass(frozen=True)
class Try:
    """A kind of list that the next round may show.

    Attributes
    ----------
    title, why : str
        What is shown, in a few words; why, in a sentence.
    chance : float or None
        Chance that the next round shows a list of this kind, where that is known.
    examples : tuple of Example
        The likeliest ones.
    """

    title: str
    why: str
    chance: float | None = None
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, eq=False)
class PairTable:
    """Every pair of some items: row against column.

    Attributes
    ----------
    items : tuple of item ids
        The items of rows and columns, in the order of the explanation.
    wins : array of float or int
        How often the row was clicked and the column was not.
    decided : array of bool
        Where the evidence is enough to say which of the two is better.
    """

    items: tuple[ItemId, ...]
    wins: NDArray[Any]
    decided: NDArray[np.bool_]

    @property
    def comparisons(self) -> NDArray[Any]:
        """Clicks on just one of the two."""
        return self.wins + self.wins.T

    @property
    def difference(self) -> NDArray[np.float64]:
        """Wins minus losses over the comparisons; NaN where there is none."""
        with np.errstate(invalid="ignore"):
            return (self.wins - self.wins.T) / self.comparisons


@dataclass(frozen=True)
class Explanation:
    """Why a policy shows what it shows. `print` it, or draw it with `unirank.plots`.

    Attributes
    ----------
    order : Leader or None
        Groups of tied items that share the page, best first, and the items below it, the closest
        first.
    attraction : tuple of Belief
        Of some or all items, the click rate in the most examined position.
    examination : tuple of Belief
        Of positions 1, 2, ..., the part of the attraction that a position keeps.
    pairs : tuple of Pair or None
        Neighbours in the order, from the first position down; then the last item on the page
        against items below it, the closest first.
    table : PairTable or None
        Every pair of items, of many items the first ones.
    steps : tuple of Step or None
        Steps away from the order that the policy weighs.
    tries : tuple of Try or None
        What the next round may show.
    about_order, about_pairs : str
        A sentence on the order and on the pairs in the policy's own words.
    """

    order: Leader | None = None
    attraction: tuple[Belief, ...] = ()
    examination: tuple[Belief, ...] = ()
    pairs: tuple[Pair, ...] | None = None
    table: PairTable | None = field(default=None, compare=False, repr=False)
    steps: tuple[Step, ...] | None = None
    tries: tuple[Try, ...] | None = None
    about_order: str = ""
    about_pairs: str = ""

    @property
    def neighbouring(self) -> tuple[Pair, ...]:
        """Pairs whose two items are on the page."""
        return tuple(pair for pair in self.pairs or () if pair.on_page)

    @property
    def against_below(self) -> tuple[Pair, ...]:
        """Pairs of an item on the page and one below it."""
        return tuple(pair for pair in self.pairs or () if not pair.on_page)

    @property
    def known(self) -> str:
        """What the policy knows, in words; not what the next round shows."""
        return "\n".join(map(wrapped, [*self._order_lines(), *self._pair_lines()]))

    def __str__(self) -> str:
        return "\n".join([self.known, *map(wrapped, self._try_lines())])

    def _order_lines(self) -> list[str]:
        if self.order is None:
            return [lacking("the policy", "order")]
        groups = " > ".join(map(in_braces, self.order.groups))
        below, n_more = self.order.below[:MOST_ROWS], len(self.order.below) - MOST_ROWS
        lines = [f"order: {groups}"]
        if below:
            more = f" and {n_more:,} more" if n_more > 0 else ""
            lines.append(f"below the page: {', '.join(map(str, below))}{more}")
        beliefs = [f"{belief.of}: {belief}" for belief in self.attraction]
        return [*lines, *_section(self.about_order, beliefs)]

    def _pair_lines(self) -> list[str]:
        if self.pairs is None:
            return [lacking("the policy", "pairs")]
        pairs = [f"{pair}{f'; {pair.note}' * bool(pair.note)}" for pair in self.pairs]
        return _section(self.about_pairs, pairs)

    def _try_lines(self) -> list[str]:
        if self.tries is None:
            return [lacking("the policy", "tries")]
        lines = []
        for one in self.tries:
            chance = "" if one.chance is None else f"{percent(one.chance):>6}  "
            examples = ", ".join(f"{each.text} ({percent(each.chance)})" for each in one.examples)
            such = f" Such as {examples}." if examples else ""
            lines.append(f"{chance}{one.title}. {one.why}{such}")
        return _section("the next round shows", lines)


def lacking(name: str, part: str) -> str:
    """Say that a policy of this name gives no such part of an explanation."""
    return f"{name} gives no {NOUNS[part]}"


def explained_by_leader(policy: Any) -> Explanation:
    """The explanation of a policy that says nothing of its own: its leader, if it has one."""
    if not hasattr(type(policy), "leader"):
        return Explanation()
    leader, removed = leader_of(policy), set(policy.removed)
    below = tuple(item for item in leader.below if item not in removed)
    return Explanation(order=Leader(leader.groups, below))


def _section(sentence: str, rows: Iterable[str]) -> list[str]:
    """A sentence, if there is one, then some rows, and how many more there are."""
    rows = list(rows)
    lines = [*filter(None, [sentence]), *(f"  {row}" for row in rows[:MOST_ROWS])]
    if len(rows) > MOST_ROWS:
        lines.append(f"  and {len(rows) - MOST_ROWS:,} more")
    return lines
