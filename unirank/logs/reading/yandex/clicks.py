"""To which page of its session a click belongs, compiled. The rules are in the package's text."""

from unirank.kernels.compiling import compiled
from unirank.logs.reading.yandex.layout import Layout
from unirank.logs.reading.yandex.lines import PAGE, Lines
from unirank.logs.reading.yandex.text import Text, comes_before, same, same_field, span

COMMA = ord(",")


@compiled
def owner(
    text: Text, layout: Layout, lines: Lines, first: int, behind: int, click: int
) -> tuple[int, int]:
    """The page and the position that a click belongs to; `behind` and -1 if there is none."""
    best, best_position = behind, -1
    for page in range(first, behind):
        if (
            lines.kind[page] == PAGE
            and may_own(text, layout, lines, page, click)
            and (best == behind or is_later(text, layout, lines, page, best))
        ):
            position = position_of(text, layout, lines, page, click)
            if position >= 0:
                best, best_position = page, position
    return best, best_position


@compiled
def may_own(text: Text, layout: Layout, lines: Lines, page: int, click: int) -> bool:
    if layout.page < 0:
        return lines.time[page] <= lines.time[click]
    return same_field(text, lines.first[page] + layout.page, lines.first[click] + layout.page)


@compiled
def is_later(text: Text, layout: Layout, lines: Lines, page: int, other: int) -> bool:
    """By time, then by the query as text."""
    if lines.time[page] != lines.time[other]:
        return lines.time[page] > lines.time[other]
    return comes_before(text, lines.first[other] + layout.query, lines.first[page] + layout.query)


@compiled
def position_of(text: Text, layout: Layout, lines: Lines, page: int, click: int) -> int:
    """Where a page shows the url of a click first; -1 if it does not, or there is no url."""
    start, end = span(text, lines.first[click] + layout.clicked)
    if start < end:
        for field in range(layout.first_item, lines.n_fields[page]):
            item, item_end = item_span(text, layout, lines.first[page] + field)
            if same(text.text, start, end, item, item_end):
                return field - layout.first_item
    return -1


@compiled
def item_span(text: Text, layout: Layout, field: int) -> tuple[int, int]:
    """Where an item begins and ends, without its domain."""
    start, end = span(text, field)
    if layout.with_domain:
        for place in range(start, end):
            if text.text[place] == COMMA:
                return start, place
    return start, end
