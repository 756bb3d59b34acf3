"""Sessions counted one by one, in plain Python: the twin of every reader's counting."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from unirank.logs.statistics import Chains, FirstClick, LastClick, QueryStatistics, Shown


class Session(NamedTuple):
    """One page as one user saw it: item ids from the top, and the positions that were clicked."""

    query: str
    items: tuple[str, ...]
    clicks: tuple[int, ...]


def counted(sessions: Sequence[Session], query: str, n_positions: int) -> QueryStatistics:
    """All four tables of one query; items are numbered in the order of their ids."""
    pages = [session for session in sessions if session.query == query]
    ids = sorted({item for page in pages for item in page.items})
    number = {item: index for index, item in enumerate(ids)}
    shown: Counter[tuple[int, ...]] = Counter()
    first: Counter[tuple[int, ...]] = Counter()
    browsed: Counter[tuple[int, ...]] = Counter()
    above: Counter[tuple[int, ...]] = Counter()
    tails: Counter[tuple[int, ...]] = Counter()
    clicked: dict[str, Counter[tuple[int, ...]]] = {
        name: Counter() for name in ("shown", "first", "browsed", "above", "last")
    }
    for page in pages:
        end = max(page.clicks, default=-1)
        tail = [-1] * n_positions
        for position, identifier in enumerate(page.items):
            item = number[identifier]
            click = position in page.clicks
            earlier = [spot for spot in page.clicks if spot < position]
            last = max(earlier, default=n_positions - 1)
            shown[item, position] += 1
            clicked["shown"][item, position] += click
            browsed[item, position, last] += 1
            clicked["browsed"][item, position, last] += click
            if not earlier:
                first[item,] += 1
                clicked["first"][item,] += click
            if position <= end:
                above[item, position] += 1
                clicked["above"][item, position] += click
                clicked["last"][item, position] += position == end
            if position >= end:
                tail[position] = item
        tails[(end, *tail)] += 1
    (row, place), (impressions, clicks) = _columns(above, 2), _counts(above, clicked["above"])
    return QueryStatistics(
        query,
        tuple(ids),
        n_positions,
        len(pages),
        Shown(*_columns(shown, 2), *_counts(shown, clicked["shown"])),
        FirstClick(*_columns(first, 1), *_counts(first, clicked["first"])),
        LastClick(*_columns(browsed, 3), *_counts(browsed, clicked["browsed"])),
        Chains(
            row,
            place,
            impressions,
            clicks,
            last_clicks=_values(above, clicked["last"]),
            tails=_keys(tails, n_positions + 1)[:, 1:],
            clicked=_keys(tails, n_positions + 1)[:, 0],
            sessions=_values(tails, tails),
        ),
    )


def _keys(rows: Counter[tuple[int, ...]], width: int) -> np.ndarray:
    return np.array(sorted(rows), np.int64).reshape(len(rows), width)


def _columns(rows: Counter[tuple[int, ...]], width: int) -> list[np.ndarray]:
    return list(_keys(rows, width).T)


def _values(rows: Counter[tuple[int, ...]], of: Counter[tuple[int, ...]]) -> np.ndarray:
    return np.array([of[key] for key in sorted(rows)], np.int64)


def _counts(rows: Counter[tuple[int, ...]], clicks: Counter[tuple[int, ...]]) -> list[np.ndarray]:
    return [_values(rows, rows), _values(rows, clicks)]
