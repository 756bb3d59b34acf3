"""The lists of `rank_many`: each becomes an object when it is asked for."""

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from unirank.page.token import Seal
from unirank.policies.base.batch import Chosen
from unirank.policies.base.options import ItemId
from unirank.policies.base.ranking import Ranking, given_ranking


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
