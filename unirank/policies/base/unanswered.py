"""The rounds whose clicks may still come: late, out of order, or never."""

from collections.abc import Iterator

from unirank.errors import ArgumentError


class UnansweredRounds:
    """Remembers what was shown in the last `most` unanswered rounds; the oldest are let go."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.let_go = 0  # unanswered rounds up to this one are forgotten
        self._rounds: dict[int, tuple[bytes, bytes]] = {}  # oldest first
        self._last_memory = b""

    def add(self, number: int, ranking: bytes, memory: bytes) -> None:
        """Remember that `ranking` was shown, and the policy's own `memory` of why."""
        if memory != self._last_memory:  # one copy serves a run of equal rounds
            self._last_memory = memory
        if len(self._rounds) == self.most:
            self.let_go = next(iter(self._rounds))
            del self._rounds[self.let_go]
        self._rounds[number] = (ranking, self._last_memory)

    def __getitem__(self, number: int) -> tuple[bytes, bytes]:
        """Ranking and memory of a round that was given and not answered yet."""
        if number in self._rounds:
            return self._rounds[number]
        if number > self.let_go:
            raise ArgumentError(f"round {number} was already updated")
        raise ArgumentError(
            f"round {number} was already updated, or let go: at most max_pending={self.most} "
            "unanswered rounds are remembered"
        )

    def __delitem__(self, number: int) -> None:
        del self._rounds[number]

    def __iter__(self) -> Iterator[tuple[int, tuple[bytes, bytes]]]:
        return iter(self._rounds.items())

    def __len__(self) -> int:
        return len(self._rounds)
