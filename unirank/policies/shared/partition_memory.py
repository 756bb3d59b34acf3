"""Memory of a round in which an ordered partition was played: bytes kept until its clicks come.

    shown        the ranking, then the members of its last subset that found no place
    shown_ends   position -> where in `shown` the subset of that position ends

`Policy` keeps the ranking itself. The memory is the rest, the same for every list of a partition:

    1 byte                  how the last subset is written: NOTHING, SHORT, LONG or BITS
    n_positions bits        whether a subset ends at this position
    members                 of the last subset, if some of them found no place: their numbers in
                            ascending order (2 or 4 bytes each), or one bit for each item,
                            whichever is shorter
"""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled

NOTHING, SHORT, LONG, BITS = range(4)
WRONG = -1
FEW = 32  # members that are sorted one by one; more are read from bits
Bytes = NDArray[np.uint8]


def memory_room(n_items: int, n_positions: int) -> int:
    """Bytes for `pack_played` to write a memory, and to sort the members of a subset."""
    return 1 + n_bytes(n_positions) + 2 * n_bytes(n_items)


@compiled
def n_bytes(n_bits: int) -> int:
    return (n_bits + 7) // 8


@compiled
def set_bit(bits: Bytes, start: int, number: int) -> None:
    bits[start + number // 8] |= np.uint8(1 << (number % 8))


@compiled
def has_bit(bits: Bytes, start: int, number: int) -> bool:
    return (bits[start + number // 8] >> np.uint8(number % 8)) & 1 == 1


@compiled
def pack_played(
    shown: NDArray[np.int64], shown_ends: NDArray[np.int64], n_items: int, memory: Bytes
) -> int:
    """Write the memory of what was played; return its length."""
    n_positions = shown_ends.size
    start = 1 + n_bytes(n_positions)  # of the members
    memory[:start] = 0
    for position in range(n_positions):
        if shown_ends[position] == position + 1:
            set_bit(memory, 1, position)
    end = shown_ends[n_positions - 1]
    if end == n_positions:
        memory[0] = NOTHING
        return start
    first = n_positions - 1  # of the last subset
    while first > 0 and shown_ends[first - 1] == end:
        first -= 1
    width = 2 if n_items <= 2**16 else 4
    size = n_bytes(n_items)
    if width * (end - first) >= size:
        memory[0] = BITS
        memory[start : start + size] = 0
        for slot in range(first, end):
            set_bit(memory, start, shown[slot])
        return start + size
    memory[0] = SHORT if width == 2 else LONG
    if end - first <= FEW:
        return write_sorted(shown[first:end], width, memory, start)
    sorting = start + size  # ascending numbers are read from bits
    memory[sorting : sorting + size] = 0
    for slot in range(first, end):
        set_bit(memory, sorting, shown[slot])
    for place in range(size):
        if memory[sorting + place]:
            for number in range(8 * place, 8 * place + 8):
                if has_bit(memory, sorting, number):
                    for byte in range(width):
                        memory[start] = (number >> (8 * byte)) & 255
                        start += 1
    return start


@compiled
def write_sorted(numbers: NDArray[np.int64], width: int, memory: Bytes, start: int) -> int:
    """Write these numbers in ascending order; return the place behind them."""
    end = start
    for number in numbers:
        place = end
        while place > start and number_at(memory, place - width, width) > number:
            for byte in range(width):
                memory[place + byte] = memory[place - width + byte]
            place -= width
        for byte in range(width):
            memory[place + byte] = (number >> (8 * byte)) & 255
        end += width
    return end


@compiled
def number_at(memory: Bytes, place: int, width: int) -> int:
    number = 0
    for byte in range(width):
        number += int(memory[place + byte]) << (8 * byte)
    return number


@compiled
def place_of(number: int, ranking: NDArray[np.int64], first: int, seen: np.uint64) -> int:
    """Return where the ranking shows a member of the subset that starts at position `first`.

    n_positions: nowhere; WRONG: before its subset. `seen` rules most numbers out at once.
    """
    if not (seen >> np.uint64(number % 64)) & np.uint64(1):
        return ranking.size
    position = 0
    while position < ranking.size and ranking[position] != number:
        position += 1
    return position if position >= first else WRONG


@compiled
def recall_played(
    ranking: NDArray[np.int64],
    memory: Bytes,
    n_items: int,
    shown: NDArray[np.int64],  # out
    shown_ends: NDArray[np.int64],  # out
) -> bool:
    """Put back what was played; return False if no partition has this ranking and memory."""
    n_positions = ranking.size
    start = 1 + n_bytes(n_positions)
    if memory.size < start or memory[0] > BITS:
        return False
    first = 0  # of the present subset
    for bit in range(8 * (start - 1)):
        if has_bit(memory, 1, bit):
            if bit >= n_positions:
                return False
            for position in range(first, bit + 1):
                shown_ends[position] = bit + 1
            first = bit + 1
    seen = np.uint64(0)
    for position in range(n_positions):
        shown[position] = ranking[position]
        seen |= np.uint64(1) << np.uint64(ranking[position] % 64)
    if memory[0] == NOTHING:
        return first == n_positions and memory.size == start
    width = 2 if memory[0] == SHORT else 4
    n_members = 8 * (memory.size - start) if memory[0] == BITS else (memory.size - start) // width
    if memory[0] != BITS and start + n_members * width != memory.size:
        return False
    end = n_positions
    n_shown = 0
    last = -1
    for nth in range(n_members):
        number = nth
        if memory[0] != BITS:
            number = number_at(memory, start + nth * width, width)
            if number <= last:
                return False
            last = number
        elif not has_bit(memory, start, nth):
            continue
        if number >= n_items:
            return False
        position = place_of(number, ranking, first, seen)
        if position == WRONG:
            return False
        if position < n_positions:
            n_shown += 1
        else:
            shown[end] = number
            end += 1
    if end == n_positions or n_shown != n_positions - first:
        return False
    for position in range(first, n_positions):
        shown_ends[position] = end
    return True


def could_be_played(rankings: NDArray[np.int64], memory: bytes, n_items: int) -> bool:
    """Whether some partition of the items has this memory and each of these rankings."""
    n_positions = rankings.shape[1]
    shown, ends = np.empty(n_items, np.int64), np.empty(n_positions, np.int64)
    if not recall_played(rankings[0], np.frombuffer(memory, np.uint8), n_items, shown, ends):
        return False
    if ends[-1] == n_positions:
        return True
    in_last = np.zeros(n_items, np.bool_)
    last = ends == ends[-1]  # positions of the last subset
    in_last[shown[last.argmax() : ends[-1]]] = True
    return bool(np.all(in_last[rankings] == last))


def repacked(ranking: NDArray[np.int64], memory: bytes, n_items: int) -> bytes | None:
    """Return the memory that version 1 of state files wrote as ends and unseen items; None: bad."""
    n_positions = len(ranking)
    if len(memory) % 8:
        return None
    played = np.frombuffer(memory, np.int64).copy()
    ends, unseen = played[:n_positions], played[n_positions:]
    shown = np.concatenate((ranking, unseen))
    good = (
        len(ends) == n_positions
        and bool(np.all(ends > np.arange(n_positions)))
        and bool(np.all(np.diff(ends) >= 0))
        and all(end >= n_positions or ends[end] > end for end in ends)
        and len(set(shown.tolist())) == len(shown) == ends[-1]
        and bool(np.all((shown >= 0) & (shown < n_items)))
    )
    if not good:
        return None
    scratch = np.zeros(memory_room(n_items, n_positions), np.uint8)
    return scratch[: pack_played(shown, ends, n_items, scratch)].tobytes()
