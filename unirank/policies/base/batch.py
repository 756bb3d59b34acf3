"""Many lists at once: they are chosen in one compiled loop, and become objects when asked for."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.batch_memories import BatchMemories
from unirank.policies.base.kernels import SEEN_BITS, batch_server_for
from unirank.policies.base.options import ItemId
from unirank.policies.base.ranking import Ranking, given_ranking
from unirank.policies.base.token import Seal

if TYPE_CHECKING:
    from unirank.policies.base.policy import Policy

ROWS = 1024  # rounds that one call of the loop serves


class Chosen(NamedTuple):
    """Consecutive rounds, a row each."""

    rankings: NDArray[np.int64]  # (n, n_positions) item numbers
    chances: NDArray[np.float64]  # (n,)
    memories: BatchMemories


class Rankings(Sequence[Ranking]):
    """The lists of `rank_many`, in the order of their rounds. It works like a list of rankings."""

    def __init__(
        self,
        chosen: Chosen,
        first: int,
        seal: Seal,
        page: Callable[[NDArray[np.int64]], tuple[ItemId, ...]],  # item numbers -> ids
    ) -> None:
        self._chosen, self._first, self._seal, self._page = chosen, first, seal, page

    def __len__(self) -> int:
        return len(self._chosen.rankings)

    @overload
    def __getitem__(self, row: int) -> Ranking: ...
    @overload
    def __getitem__(self, row: slice) -> list[Ranking]: ...
    def __getitem__(self, row: int | slice) -> Ranking | list[Ranking]:
        rows = range(len(self))[row]
        return self._one(rows) if isinstance(rows, int) else [self._one(one) for one in rows]

    def _one(self, row: int) -> Ranking:
        rankings, chances, memories = self._chosen
        number = self._first + row
        given = self._seal, rankings[row].tobytes(), memories.of(number)
        return given_ranking(self._page(rankings[row]), number, float(chances[row]), given)

    def __repr__(self) -> str:
        last = self._first + len(self) - 1
        return f"<{len(self)} rankings, rounds {self._first} to {last}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)  # each leaves out what is secret


def choose(policy: "Policy", n: int) -> Chosen:
    """Choose the lists of the next n rounds."""
    if policy._serve_many is None:
        policy._serve_many = batch_server_for(type(policy))
    rankings, chances = np.empty((n, policy.n_positions), np.int64), np.empty(n)
    words = policy._memory.view(np.uint64)
    sizes, starts = np.empty(ROWS, np.int64), np.empty(ROWS, np.int64)
    packed, which = np.empty(ROWS * len(words), np.uint64), np.empty(n, np.int32)
    memories = BatchMemories(policy.round + 1, which)
    done = 0
    while done < n:
        rows = slice(done, min(done + ROWS, n))
        seen = np.full(2**SEEN_BITS, -1)
        room = policy._memory, words, which[rows], sizes, starts, packed, seen
        served, n_new = policy._serve_many(
            policy.state, policy._key, memories.first + done, rankings[rows], chances[rows], *room
        )
        if served < rows.stop - done:
            policy.grow()
        if done:
            which[done : done + served] += memories.n_different
        memories.append(sizes[:n_new], starts[:n_new], packed)
        done += served
    return Chosen(rankings, chances, memories)
