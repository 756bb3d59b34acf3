"""Text as fields, compiled. A field is a number: nothing is copied.

session  time  C  url        tabs and ends of lines are the stops of a text,
0        1     2  3          field f is what stands between stops f and f + 1
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled

Bytes = NDArray[np.uint8]

TAB, NEWLINE = ord("\t"), ord("\n")
FNV_START, FNV_PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
WORD = 8  # bytes


class Text(NamedTuple):
    """Whole lines, and the places of all their stops; the first stop is before the text, at -1."""

    text: Bytes
    stops: NDArray[np.int32]


def text_of(block: bytes) -> Text:
    """The text of a block that ends with the end of a line."""
    text = np.frombuffer(block, np.uint8)
    stops = np.empty(count_stops(text) + 2, np.int32)
    find_stops(text, stops)
    return Text(text, stops[:-1])


@compiled
def count_stops(text: Bytes) -> int:
    n_stops = 0
    for byte in text:
        n_stops += (byte == TAB) | (byte == NEWLINE)
    return n_stops


@compiled
def find_stops(text: Bytes, stops: NDArray[np.int32]) -> None:
    """Without a branch: a place that is no stop is overwritten by the next one."""
    stops[0] = -1
    n_stops = 1
    for place in range(text.size):
        stops[n_stops] = place
        n_stops += (text[place] == TAB) | (text[place] == NEWLINE)


@compiled
def span(text: Text, field: int) -> tuple[int, int]:
    """Where a field begins, and where it ends; of one type, lest all is compiled for several."""
    start, end = np.int64(text.stops[field]) + 1, np.int64(text.stops[field + 1])
    return start, end  # type: ignore[return-value]


@compiled
def is_letter(text: Text, field: int, letter: int) -> bool:
    start, end = span(text, field)
    return end - start == 1 and text.text[start] == letter


@compiled
def same_field(text: Text, one: int, other: int) -> bool:
    (start, end), (other_start, other_end) = span(text, one), span(text, other)
    return same(text.text, start, end, other_start, other_end)


@compiled
def same(text: Bytes, start: int, end: int, other: int, other_end: int) -> bool:
    """Whether two parts of a text are equal."""
    if end - start != other_end - other:
        return False
    n, size = 0, end - start
    while n + WORD <= size and word(text, start + n) == word(text, other + n):
        n += WORD
    while n < size and text[start + n] == text[other + n]:
        n += 1
    return n == size


@compiled
def comes_before(text: Text, one: int, other: int) -> bool:
    """Whether a field sorts before another one, by bytes."""
    (start, end), (other_start, other_end) = span(text, one), span(text, other)
    for n in range(min(end - start, other_end - other_start)):
        a, b = text.text[start + n], text.text[other_start + n]
        if a != b:
            return a < b
    return end - start < other_end - other_start


@compiled
def hashed(text: Bytes, start: int, end: int, seed: np.uint64) -> np.uint64:
    """Fowler, Noll and Vo's hash 1a, of eight bytes at once while there are as many."""
    value, place = seed, start
    while place + WORD <= end:
        value = (value ^ word(text, place)) * FNV_PRIME
        value ^= value >> np.uint64(32)  # the low bits of a product do not depend on high ones
        place += WORD
    while place < end:
        value = (value ^ np.uint64(text[place])) * FNV_PRIME
        place += 1
    return value


@compiled
def word(text: Bytes, place: int) -> np.uint64:
    """Eight bytes as one number: one instruction, once it is compiled."""
    value = np.uint64(0)
    for n in range(WORD):
        value |= np.uint64(text[place + n]) << np.uint64(8 * n)
    return value
