"""The rounds whose clicks may still come: late, out of order, or never.

They are rows of one packed table, in the order they were given:

    round, time       when it was given
    memory            which of the shared memories belongs to it; ANSWERED: the row is free
    ranking           item numbers, 2 bytes each (4 where there are more than 65,536 items)

A new round is appended, an answered one is marked. When the table is full, marked rows are
squeezed out. It has half as many rows again as may be unanswered, so that squeezing takes
constant time per round. The newest rounds wait beside the table, since many are answered at once,
and enter it together.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from time import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.base.batch_memories import BatchMemories

ANSWERED = -1
N_WAITING = 64  # of the newest rounds, which are not in the table yet
FIRST_ROOM = 64  # rows
FEW_DIFFERENT = 32  # memories of a batch that are kept one by one, and shared with other rounds

Rows = NDArray[Any]


class SharedMemories:
    """Each different memory once, with the number of rounds that have it.

    A batch whose memories differ is one entry: of thousands of them, few are ever asked for.
    """

    def __init__(self) -> None:
        self._number: dict[bytes | BatchMemories, int] = {}
        self._memories: list[bytes | BatchMemories] = []
        self._n_rounds: list[int] = []
        self._free: list[int] = []

    def keep(self, memory: bytes | BatchMemories, n_rounds: int = 1) -> int:
        """Return the number under which the memory can be read until all rounds released it."""
        number = self._number.get(memory)
        if number is None:
            if self._free:
                number = self._free.pop()
                self._memories[number] = memory
            else:
                number = len(self._memories)
                self._memories.append(memory)
                self._n_rounds.append(0)
            self._number[memory] = number
        self._n_rounds[number] += n_rounds
        return number

    def release(self, number: int, n_rounds: int = 1) -> None:
        self._n_rounds[number] -= n_rounds
        if not self._n_rounds[number]:
            del self._number[self._memories[number]]
            self._memories[number] = b""
            self._free.append(number)

    def __getitem__(self, number: int) -> bytes | BatchMemories:
        return self._memories[number]

    def of(self, number: int, round_: int) -> bytes:
        """The memory of a round, which was kept under this number."""
        memory = self._memories[number]
        return memory if isinstance(memory, bytes) else memory.of(round_)

    def __len__(self) -> int:
        return len(self._number)


class UnansweredRounds:
    """Remembers what was shown in the last `most` unanswered rounds; the oldest are let go."""

    def __init__(self, most: int, n_items: int, n_positions: int) -> None:
        self.most = most
        self.let_go = 0  # unanswered rounds up to this one are forgotten
        self._most_rows = most + most // 2 + N_WAITING
        self._use(np.zeros(min(FIRST_ROOM, self._most_rows), _kind(n_items, n_positions)), 0)
        self._memories = SharedMemories()
        self.clicked: dict[int, set[int]] = {}  # clicks noted so far: item numbers by round
        self._waiting: dict[int, tuple[float, bytes, bytes]] = {}  # by round: time, ranking, memory

    def allow_items(self, n_items: int) -> None:
        """Make room for the numbers of so many items."""
        kind = _kind(n_items, self._ranking.shape[1])
        if kind != self._rows.dtype:
            rows = self.rows()
            table = np.zeros(len(self._rows), kind)
            for name in kind.names or ():
                table[name][: len(rows)] = rows[name]
            self._use(table, len(rows))

    def _use(self, rows: Rows, n_rows: int) -> None:
        """Take another table, whose first `n_rows` rows are all unanswered."""
        self._rows = rows
        self._round, self._time = rows["round"], rows["time"]
        self._memory, self._ranking = rows["memory"], rows["ranking"]
        self._n_rows = self._n_unanswered = n_rows
        self._oldest = 0  # no row before this one is unanswered

    def add(self, number: int, ranking: bytes, memory: bytes) -> None:
        """Remember that `ranking` was shown, and the policy's own `memory` of why."""
        self._waiting[number] = time(), ranking, memory
        too_many = len(self) > self.most
        if len(self._waiting) == N_WAITING or (too_many and not self._n_unanswered):
            self._enter_waiting()
        elif too_many:
            self._let_go_oldest()

    def add_many(self, rankings: NDArray[np.int64], memories: BatchMemories) -> None:
        """Remember at most `most` rounds, those of the memories."""
        self._enter_waiting()
        n_new = len(rankings)
        self._let_go_many(self._n_unanswered + n_new - self.most)
        if self._n_rows + n_new > len(self._rows):
            self._make_room(n_new)
        rows = slice(self._n_rows, self._n_rows + n_new)
        self._round[rows] = np.arange(memories.first, memories.first + n_new)
        self._time[rows], self._ranking[rows] = time(), rankings
        if memories.n_different > FEW_DIFFERENT:
            self._memory[rows] = self._memories.keep(memories, n_new)
        else:
            counts = np.bincount(memories.which, minlength=memories.n_different).tolist()
            kept = [self._memories.keep(memories[nth], n) for nth, n in enumerate(counts)]
            self._memory[rows] = np.array(kept, np.int32)[memories.which]
        self._n_rows += n_new
        self._n_unanswered += n_new

    def _enter_waiting(self) -> None:
        """Move the newest rounds into the table; let go of the oldest if there are too many."""
        n_new = len(self._waiting)
        if n_new:
            if self._n_rows + n_new > len(self._rows):
                self._make_room(n_new)
            rows = slice(self._n_rows, self._n_rows + n_new)
            times, rankings, memories = zip(*self._waiting.values(), strict=True)
            self._round[rows], self._time[rows] = list(self._waiting), times
            self._ranking[rows] = np.frombuffer(b"".join(rankings), np.int64).reshape(n_new, -1)
            self._memory[rows] = [self._memories.keep(memory) for memory in memories]
            self._n_rows += n_new
            self._n_unanswered += n_new
            self._waiting.clear()
        while self._n_unanswered > self.most:
            self._let_go_oldest()

    def find(self, number: int) -> int:
        """Row of a round that was given and not answered yet."""
        if number in self._waiting:
            return -number  # it has no row yet
        row = self._row_of(number)
        if row < self._n_rows and self._round[row] == number and self._memory[row] != ANSWERED:
            return row
        if number > self.let_go:
            raise ArgumentError(f"round {number} was already updated")
        raise ArgumentError(
            f"round {number} was already updated, or let go: at most max_pending={self.most} "
            "unanswered rounds are remembered"
        )

    def _row_of(self, number: int) -> int:
        if not self._n_rows:
            return 0
        # Rounds follow each other without gaps since the table was squeezed last.
        row = self._n_rows - 1 - (int(self._round[self._n_rows - 1]) - number)
        if 0 <= row < self._n_rows and self._round[row] == number:
            return row
        return int(np.searchsorted(self._round[: self._n_rows], number))

    def __getitem__(self, row: int) -> tuple[int, NDArray[Any], bytes]:
        """Round, ranking and memory of a row that `find` gave."""
        if row < 0:
            _, ranking, memory = self._waiting[-row]
            return -row, np.frombuffer(ranking, np.int64), memory
        number = int(self._round[row])
        return number, self._ranking[row], self._memories.of(self._memory[row], number)

    def remove(self, row: int) -> None:
        """The round of this row was answered."""
        if self.clicked:
            self.clicked.pop(-row if row < 0 else int(self._round[row]), None)
        if row < 0:
            del self._waiting[-row]
            return
        self._memories.release(self._memory[row])
        self._memory[row] = ANSWERED
        self._n_unanswered -= 1
        if row == self._n_rows - 1:
            self._n_rows = row

    def _let_go_oldest(self) -> None:
        while self._memory[self._oldest] == ANSWERED:
            self._oldest += 1
        self.let_go = int(self._round[self._oldest])
        self.remove(self._oldest)

    def _let_go_many(self, n: int) -> None:
        """Let go of the n oldest rounds at once; of none if n is not above 0."""
        if n <= 0:
            return
        end = self._oldest + n  # of the rows to look at; further if some of them were answered
        while (rows := np.flatnonzero(self._memory[self._oldest : end] != ANSWERED)).size < n:
            end += end - self._oldest
        rows = rows[:n] + self._oldest
        self._oldest = int(rows[-1]) + 1
        self.let_go = int(self._round[self._oldest - 1])
        if self.clicked:
            for number in self._round[rows].tolist():
                self.clicked.pop(number, None)
        for number, n_rounds in zip(
            *np.unique(self._memory[rows], return_counts=True), strict=True
        ):
            self._memories.release(number, n_rounds)
        self._memory[rows] = ANSWERED
        self._n_unanswered -= n

    def _make_room(self, n_new: int) -> None:
        kept = self._rows[: self._n_rows]
        kept = kept[kept["memory"] != ANSWERED]
        room = len(self._rows)
        while room < len(kept) + n_new or room < min(3 * len(kept) // 2, self._most_rows):
            room = min(2 * room, self._most_rows)
        rows = np.zeros(room, self._rows.dtype) if room > len(self._rows) else self._rows
        rows[: len(kept)] = kept
        self._use(rows, len(kept))

    def rows(self) -> Rows:
        """The unanswered rounds, oldest first, as a packed table of its own."""
        self._enter_waiting()
        rows = self._rows[: self._n_rows]
        return rows[rows["memory"] != ANSWERED]

    def to_plain(self) -> tuple[Rows, list[bytes]]:
        """All rounds, and the memories that their rows name by number."""
        rows, memories = self.rows(), list[bytes]()
        order = np.argsort(rows["memory"], kind="stable")
        cuts = np.flatnonzero(np.diff(rows["memory"][order])) + 1
        for same in np.split(order, cuts) if len(rows) else ():
            found = self._memories[rows["memory"][same[0]]]
            if isinstance(found, bytes):
                rows["memory"][same] = len(memories)
                memories.append(found)
            else:
                used, which = np.unique(
                    found.which[rows["round"][same] - found.first], return_inverse=True
                )
                rows["memory"][same] = len(memories) + which
                memories += [found[number] for number in used.tolist()]
        return rows, memories

    def restore(
        self, columns: Mapping[str, NDArray[Any]], memories: Sequence[bytes], let_go: int
    ) -> None:
        """Take over the columns of a table that was checked; `memory` numbers the memories."""
        n_rounds = len(columns["round"])
        first = max(0, n_rounds - self.most)
        self.let_go = int(columns["round"][first - 1]) if first else let_go
        table = np.zeros(max(FIRST_ROOM, n_rounds - first), self._rows.dtype)
        for name in ("round", "time", "ranking"):
            table[name][: n_rounds - first] = columns[name][first:]
        kept = [self._memories.keep(memories[n]) for n in columns["memory"][first:].tolist()]
        table["memory"][: n_rounds - first] = kept
        self._use(table, n_rounds - first)

    def restore_clicked(self, clicked: Iterable[tuple[int, list[int]]]) -> None:
        """Take over clicks noted so far; they may come from a forged file."""
        for number, items in clicked:
            if not set(items) <= set(self[self.find(number)][1].tolist()):
                raise ArgumentError(f"clicked items of round {number} must be among those shown")
            self.clicked[number] = set(items)

    def given_until(self, moment: float) -> list[int]:
        """Rounds that were given at this time or before."""
        rows = self.rows()
        return [int(number) for number in rows["round"][rows["time"] <= moment]]

    def __iter__(self) -> Iterator[tuple[int, list[int]]]:
        """Round and item numbers of each, oldest first."""
        rows = self.rows()
        return iter(zip(rows["round"].tolist(), rows["ranking"].tolist(), strict=True))

    def __len__(self) -> int:
        return self._n_unanswered + len(self._waiting)


def _kind(n_items: int, n_positions: int) -> np.dtype[Any]:
    """Type of a row."""
    return np.dtype(
        [
            ("round", np.int64),
            ("time", np.float64),
            ("memory", np.int32),
            ("ranking", np.uint16 if n_items <= 2**16 else np.uint32, (n_positions,)),
        ]
    )
