"""Every pair of items that UniRank compares: who wins, on how many clicks, where that is sure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unirank.policies.base.leader import Leader
from unirank.policies.uni_rank.pairs import pairs_of
from unirank.policies.uni_rank.policy import UniRank
from unirank.server.view import ItemId

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


def pair_table_of(policy: Any, leader: Leader, present: Sequence[ItemId]) -> PairTable | None:
    """The first items of the leader's order; None if the policy does not compare pairs."""
    if not isinstance(policy, UniRank):
        return None
    there = set(present)
    on_page = [item for group in leader.groups for item in group if item in there]
    items = [*on_page, *(item for item in leader.below if item in there)][:MOST_ITEMS]
    known = pairs_of(policy).in_order([policy.items.index(item) for item in items])
    cells = [
        tuple(
            Cell(float(s), int(n), bool(sure)) if n else None
            for s, n, sure in zip(*row, strict=True)
        )
        for row in zip(known.difference, known.comparisons, known.sure, strict=True)
    ]
    return PairTable(tuple(items), len(on_page), tuple(cells))
