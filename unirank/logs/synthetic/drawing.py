"""Sessions of made-up users: a query, one of its pages, and the clicks of its click model.

A session draws its query, with weight 1 / rank ** zipf, then one of its pages, uniformly, then its
clicks. All random numbers have addresses:

    choices of session s  (seed, game 0, POLICY, round s): draw 0 the query, draw 1 the page
    clicks of session s   (seed, game 0, USERS, round s), as everywhere

so the sessions of a seed are the same for any size of block and any format of file.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.click_models import ClickModel
from unirank.kernels.compiling import bind, compiled
from unirank.kernels.randomness import (
    LARGEST_ROUND,
    POLICY,
    USERS,
    at_round,
    below,
    stream_key,
    uniform,
)
from unirank.logs.synthetic.pages import drawn_pages, ids_of

BLOCK = 100_000  # sessions drawn at once


class Sessions(NamedTuple):
    """Some sessions, numbered from `first` on. Session n saw page `page[n]` of all pages."""

    first: int
    page: NDArray[np.int64]  # (n_sessions,)
    clicks: NDArray[np.bool_]  # (n_sessions, n_positions); nothing beyond the end of a page


@compiled
def choose(
    key: np.uint64,
    first: int,
    cumulated: NDArray[np.float64],  # (n_queries,) chance of a query up to this one
    n_pages: int,
    page: NDArray[np.int64],  # (n_sessions,) out
) -> None:
    """Draw the query of each session and one of its pages."""
    for session in range(page.size):
        rng = at_round(key, first + session)
        chance = uniform(rng, 0)
        low, high = 0, cumulated.size - 1
        while low < high:
            middle = (low + high) // 2
            if cumulated[middle] > chance:
                high = middle
            else:
                low = middle + 1
        page[session] = low * n_pages + below(rng, 1, n_pages)


def bound_later(*_: Any) -> Any:
    """Placeholder for the click model's `click`."""
    raise AssertionError("draw_clicks must be bound to a click model")


click = bound_later


def draw_clicks(
    model: Any,
    key: np.uint64,
    first: int,
    rankings: NDArray[np.int64],  # (n_pages, length) of one query, in its click model's items
    sessions: NDArray[np.int64],  # those of this query in the block
    page: NDArray[np.int64],  # (n_sessions,) number within the query, of these sessions
    ranking: NDArray[np.int64],  # (length,) scratch
    clicks: NDArray[np.bool_],  # (length,) scratch
    drawn: NDArray[np.bool_],  # (n_sessions of the block, n_positions) out
) -> None:
    """Draw the clicks of all sessions of one query."""
    for n in range(sessions.size):
        for position in range(ranking.size):
            ranking[position] = rankings[page[n], position]
        click(model, ranking, at_round(key, first + sessions[n]), clicks)
        for position in range(ranking.size):
            drawn[sessions[n], position] = clicks[position]


class SyntheticLog:
    """Users of several queries, all of one click model, and the pages that they are shown.

    A page has `n_positions` items, or as many as its query has. `items` are the ids of the items
    by query; without them, items are numbered over all queries.
    """

    def __init__(
        self,
        users: Mapping[str, ClickModel],
        items: Mapping[str, Sequence[int | str]] | None = None,
        *,
        n_positions: int = 10,
        n_pages: int = 20,
        zipf: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.users = dict(users)
        self.items = ids_of(users, items)
        self.n_positions = arguments.integer("n_positions", n_positions, 1)
        self.n_pages = arguments.integer("n_pages", n_pages, 1, 2**31)
        self.zipf = arguments.non_negative("zipf", zipf)
        self.seed = arguments.seed(seed)
        self.pages = drawn_pages(users, self.items, self.n_positions, self.n_pages, self.seed)

    def blocks(self, n_sessions: int, size: int = BLOCK) -> Iterator[Sessions]:
        """Draw sessions 1 to `n_sessions`, a block at a time."""
        n_sessions = arguments.integer("n_sessions", n_sessions, 1, LARGEST_ROUND)
        weights = np.arange(1, len(self.users) + 1) ** -self.zipf
        cumulated = np.cumsum(weights) / weights.sum()
        key = np.uint64(stream_key(self.seed, 0, POLICY))
        for first in range(1, n_sessions + 1, size):
            page = np.empty(min(size, n_sessions + 1 - first), np.int64)
            choose(key, first, cumulated, self.n_pages, page)
            yield Sessions(first, page, self._clicks(first, page))

    def _clicks(self, first: int, page: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Clicks of the sessions of a block, query by query."""
        models = list(self.users.values())
        draw = bind(draw_clicks, models[0].name, click=models[0].kernels.click)
        key = np.uint64(stream_key(self.seed, 0, USERS))
        drawn = np.zeros((page.size, self.pages.width), np.bool_)
        order = np.argsort(page, kind="stable")
        ends = np.searchsorted(page[order], np.arange(len(models) + 1) * self.n_pages)
        for n in np.flatnonzero(np.diff(ends)).tolist():
            sessions = order[ends[n] : ends[n + 1]]
            rankings = self.pages.rankings(n)
            scratch = np.empty(rankings.shape[1], np.int64), np.zeros(rankings.shape[1], np.bool_)
            within = page[sessions] - n * self.n_pages
            draw(models[n].parameters, key, first, rankings, sessions, within, *scratch, drawn)
        return drawn
