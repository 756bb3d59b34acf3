"""How the order changed: a strip of items by place and views, and the last changes in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import log

from unirank.server.dashboard.formats import count
from unirank.server.history import Moment
from unirank.server.view import ItemId

MOST_PLACES = 12
MOST_CHANGES, MOST_MOVES = 6, 3  # written
# Dark to bright, in equal steps to the eye, with colour vision deficiencies too (viridis).
COLOURS = (
    "#440154",
    "#482878",
    "#3e4989",
    "#31688e",
    "#26828e",
    "#1f9e89",
    "#35b779",
    "#6ece58",
    "#b5de2b",
    "#fde725",
)
N_DARK = 6  # of them need white letters
GREY = "#c9c9c9"


@dataclass(frozen=True)
class Cell:
    """An item at one place from `start` to `end`, in percent of the width."""

    item: ItemId
    place: int
    start: float
    end: float
    colour: str
    dark: bool


@dataclass(frozen=True)
class Strip:
    cells: tuple[Cell, ...]
    n_places: int
    ticks: tuple[tuple[float, str], ...]  # percent, number of views
    borders: tuple[tuple[int, float, float], ...]  # a group ends after this place; from, to
    tied: bool  # whether any items were


@dataclass(frozen=True)
class Change:
    at: float
    views: int
    moves: tuple[str, ...]


def strip_of(moments: Sequence[Moment], n_positions: int, views: int) -> Strip | None:
    """The places of the page over its views, on a logarithmic axis; None before ten views."""
    moments = [moment for moment in moments if moment.groups]
    if not moments or views < 10:
        return None
    last = [item for group in moments[-1].groups for item in group][:n_positions]
    rank = {item: number for number, item in enumerate(last)}
    n_places = min(n_positions, MOST_PLACES)
    ends = [_percent(moment.views, views) for moment in moments[1:]] + [100.0]
    spans = [(_percent(m.views, views), end, m) for m, end in zip(moments, ends, strict=True)]
    spans = [(start, end, moment) for start, end, moment in spans if end > start]
    cells = []
    for place in range(n_places):
        column = [(_at(moment, place, rank), start, end) for start, end, moment in spans]
        for item, run in groupby(column, key=lambda one: one[0]):
            pieces = list(run)
            if item is not None:
                look = _look(item, rank, len(last))
                cells.append(Cell(item, place, pieces[0][1], pieces[-1][2], *look))
    borders = [
        (border, start, end)
        for start, end, moment in spans
        for border in _borders(moment)
        if border < n_places
    ]
    tied = any(len(group) > 1 for _, _, moment in spans for group in moment.groups)
    return Strip(tuple(cells), n_places, _ticks(views), _joined(borders), tied)


def changes_of(moments: Sequence[Moment], n_positions: int) -> list[Change]:
    """The last changes of the order, the newest first."""
    found: list[Change] = []
    before: list[ItemId] | None = None
    for moment in moments:
        now = [item for group in moment.groups for item in group][:n_positions]
        if before is not None and now != before:
            found.append(Change(moment.at, moment.views, _moves(before, now)))
        before = now
    return found[: -MOST_CHANGES - 1 : -1]


def _moves(before: list[ItemId], now: list[ItemId]) -> tuple[str, ...]:
    """What moved up, and what came or left; the rest follows from it."""
    moves = [f"{item} enters at {now.index(item) + 1}" for item in now if item not in before]
    moves += [
        f"{item} rises from {before.index(item) + 1} to {now.index(item) + 1}"
        for item in now
        if item in before and now.index(item) < before.index(item)
    ]
    moves += [f"{item} leaves" for item in before if item not in now]
    more = len(moves) - MOST_MOVES
    return (*moves[:MOST_MOVES], f"{more} more") if more > 1 else tuple(moves)


def _percent(views: int, last: int) -> float:
    return 100.0 * log(max(views, 10) / 10) / log(max(last, 11) / 10)


def _at(moment: Moment, place: int, rank: dict[ItemId, int]) -> ItemId | None:
    """The item at a place; tied ones in the order that they have at the end."""
    items: list[ItemId] = []
    for group in moment.groups:
        items += sorted(group, key=lambda item: rank.get(item, len(rank)))
    return items[place] if place < len(items) else None


def _borders(moment: Moment) -> list[int]:
    borders, total = [], 0
    for group in moment.groups:
        total += len(group)
        borders.append(total)
    return borders


def _joined(borders: list[tuple[int, float, float]]) -> tuple[tuple[int, float, float], ...]:
    """Borders that go on without a gap are one line."""
    lines: list[tuple[int, float, float]] = []
    for border, start, end in sorted(borders):
        if lines and lines[-1][0] == border and abs(lines[-1][2] - start) < 1e-9:
            lines[-1] = (border, lines[-1][1], end)
        else:
            lines.append((border, start, end))
    return tuple(lines)


def _look(item: ItemId, rank: dict[ItemId, int], n: int) -> tuple[str, bool]:
    if item not in rank:
        return GREY, False
    number = round(rank[item] * (len(COLOURS) - 1) / max(n - 1, 1))
    return COLOURS[number], number < N_DARK


def _ticks(views: int) -> tuple[tuple[float, str], ...]:
    numbers = [10**power for power in range(1, 10) if 10**power <= views]
    return tuple((_percent(number, views), count(number)) for number in numbers)
