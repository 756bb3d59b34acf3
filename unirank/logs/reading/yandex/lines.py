"""Lines told apart, compiled: what kind each one is, and where its fields begin."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.logs.reading.bad_lines import BEYOND, EMPTY, NOT_A_NUMBER, TOO_FEW, UNKNOWN
from unirank.logs.reading.relations import LARGEST_PAGE
from unirank.logs.reading.yandex.layout import DIGITS, Layout
from unirank.logs.reading.yandex.text import NEWLINE, Text, is_letter, span

PAGE, CLICK, TEST, BEGIN = ord("Q"), ord("C"), ord("T"), ord("M")
BAD_KINDS = (EMPTY, TOO_FEW, UNKNOWN, BEYOND, NOT_A_NUMBER)  # the kind of a bad line is its place
N_BAD_KINDS = len(BAD_KINDS)
_EMPTY, _TOO_FEW, _UNKNOWN, _BEYOND, _NOT_A_NUMBER = range(N_BAD_KINDS)
ZERO, NINE = ord("0"), ord("9")


class Lines(NamedTuple):
    """By line; its first field names its session."""

    kind: NDArray[np.uint8]
    first: NDArray[np.int64]
    n_fields: NDArray[np.int64]
    time: NDArray[np.int64]  # of pages and clicks


def empty_lines(n_lines: int) -> Lines:
    numbers = (np.empty(n_lines, np.int64) for _ in range(3))
    return Lines(np.empty(n_lines, np.uint8), *numbers)


@compiled
def find_lines(text: Text, layout: Layout, lines: Lines) -> None:
    """Fill in all lines of the text."""
    line = 0
    lines.first[0] = 0
    for field in range(text.stops.size - 1):
        if text.text[text.stops[field + 1]] == NEWLINE:
            lines.n_fields[line] = field + 1 - lines.first[line]
            lines.kind[line] = kind_of(text, layout, lines.first[line], lines.n_fields[line])
            if lines.kind[line] >= N_BAD_KINDS:
                lines.time[line] = number(text, lines.first[line] + 1)
            line += 1
            if line < lines.first.size:
                lines.first[line] = field + 1


@compiled
def kind_of(text: Text, layout: Layout, first: int, n_fields: int) -> int:
    """The letter of a good line, or what is bad about it."""
    start, end = span(text, first)
    if n_fields == 1 and start == end:
        return _EMPTY
    if layout.page >= 0 and n_fields > 1 and is_letter(text, first + 1, BEGIN):
        return BEGIN if n_fields >= 4 else _TOO_FEW
    if n_fields < 3:
        return _TOO_FEW
    kind = _UNKNOWN
    for letter in (PAGE, CLICK, TEST):
        if is_letter(text, first + 2, letter):
            kind = letter
    if kind == _UNKNOWN:
        return kind
    if n_fields <= (layout.clicked if kind == CLICK else layout.first_item):
        return _TOO_FEW
    if kind != CLICK and n_fields - layout.first_item > LARGEST_PAGE:
        return _BEYOND
    return kind if number(text, first + 1) >= 0 else _NOT_A_NUMBER


@compiled
def number(text: Text, field: int) -> int:
    """A time; -1 where it is anything but digits, or too many."""
    start, end = span(text, field)
    if not 0 < end - start <= DIGITS:
        return -1
    value = 0
    for place in range(start, end):
        if not ZERO <= text.text[place] <= NINE:
            return -1
        value = 10 * value + (text.text[place] - ZERO)
    return value
