"""Every pair of items: who wins, on how many clicks, and where that is sure."""

from dataclasses import dataclass

from unirank.policies.base.explanation import Explanation
from unirank.policies.base.leader import ItemId

MOST_ITEMS = 12
SHADES = 4  # of each colour


@dataclass(frozen=True)
class Cell:
    """Row against column: wins minus losses over the clicks on just one of the two."""

    difference: float
    comparisons: int
    sure: bool

    @property
    def shade(self) -> str:
        """`for3` where the row wins most of them, `against1` where it loses a few more."""
        number = min(int(abs(self.difference) * SHADES), SHADES - 1)
        return f"{'for' if self.difference >= 0 else 'against'}{number}"


@dataclass(frozen=True)
class PairTable:
    items: tuple[ItemId, ...]
    n_on_page: int
    rows: tuple[tuple[Cell | None, ...], ...]  # None: no click differed yet


def pair_table_of(explanation: Explanation) -> PairTable | None:
    """The first items of an explanation's table of pairs; None if it has none."""
    known, order = explanation.table, explanation.order
    if known is None:
        return None
    first = slice(MOST_ITEMS)
    tables = known.difference, known.comparisons, known.decided
    cells = tuple(
        tuple(
            Cell(float(s), int(n), bool(sure)) if n else None
            for s, n, sure in zip(*row, strict=True)
        )
        for row in zip(*(table[first, first] for table in tables), strict=True)
    )
    n_on_page = sum(map(len, order.groups)) if order else len(known.items)
    return PairTable(known.items[first], n_on_page, cells)
