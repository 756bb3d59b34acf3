"""The problems that a click log poses: each query under each click model that fits nearly as well.

A query is a page of its own. Its items are those that were shown often enough, and its number of
positions is the most frequent length of its pages. A query is left out, with the reason, if its log
cannot tell good items from good positions.

Click models are fitted to one part of the sessions and compared on the other by the bits that each
needs for the clicks of a session (`prediction.py`). A model fits nearly as well as the best one if
the held-out sessions cannot tell them apart, by two standard errors of the difference, or if it
needs hardly more bits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.lab.fitted_experiment import in_order
from unirank.logs.estimators import Fit
from unirank.logs.estimators.identifiability import comparable_groups, unidentified
from unirank.logs.fitted_log import kept_items
from unirank.logs.prediction import page_bits, prediction
from unirank.logs.reading import LogStatistics
from unirank.logs.statistics import Pages, QueryStatistics, Shown
from unirank.users import PBM, ClickModel

ERRORS = 2.0  # standard errors that tell two models apart
MOST_NAMED = 5  # items in a sentence


@dataclass(frozen=True)
class LogQuery:
    """What is played of one query: some of its items, and pages of one length."""

    number: int  # among the queries that were read
    query: str
    kept: tuple[int, ...]  # items
    rare: tuple[str, ...]  # names of the other items, shown less than min_impressions times
    n_positions: int
    n_sessions: int  # held-out ones included
    pages: Pages  # held out, of this length

    @property
    def observed(self) -> float:
        """Clicks per view of the held-out pages."""
        return float(np.average(self._clicks, weights=self.pages.sessions))

    @property
    def observed_variance(self) -> float:
        """Variance of the mean `observed`."""
        spread = np.average((self._clicks - self.observed) ** 2, weights=self.pages.sessions)
        return float(spread / self.pages.sessions.sum())

    @property
    def _clicks(self) -> NDArray[np.int64]:
        return np.asarray(self.pages.clicks.sum(axis=1))


@dataclass(frozen=True)
class LogProblem:
    """A query under one fitted click model."""

    users: ClickModel  # items are the kept ones
    best: tuple[int, ...]  # ranking
    logged: float  # clicks per view of the logged pages
    best_value: float

    def players(self) -> tuple[ClickModel, tuple[int, ...]]:
        """Return users for a game, and their best ranking.

        The positions of a PBM are renumbered by decreasing examination, which most policies need.
        """
        ordered = in_order(self.users, len(self.best))
        if ordered is self.users:
            return self.users, self.best
        return ordered, ordered.best_ranking(len(self.best))


def log_queries(read: LogStatistics, min_impressions: int) -> tuple[list[LogQuery], dict[str, str]]:
    """Return the queries to play, and why the others are left out."""
    found, left_out = [], {}
    for number in range(len(read.queries)):
        try:
            found.append(log_query(read, number, min_impressions))
        except ArgumentError as error:
            left_out[read.queries[number].query] = str(error)
    if not found:
        query, reason = next(iter(left_out.items()))
        others = f" (and so on for {len(left_out)} queries)" if len(left_out) > 1 else ""
        raise ArgumentError(f"query {query}: {reason}{others}")
    return found, left_out


def log_query(read: LogStatistics, number: int, min_impressions: int) -> LogQuery:
    """Return a query, or raise ArgumentError if it cannot be played."""
    query, pages = read.queries[number], read.held_out_pages[number]
    lengths = (pages.items >= 0).sum(axis=1)
    if not lengths.size:
        raise ArgumentError("it has no held-out session; pass a longer log")
    n_positions = int(np.bincount(lengths, pages.sessions).argmax())
    kept, groups = compared_items(query, read.held_out[number], min_impressions)
    if len(kept) < max(n_positions, 2):
        raise ArgumentError(
            f"{len(kept)} of its {len(query.items)} items were shown {min_impressions:,} times or "
            f"more, too few for {n_positions} positions; pass a smaller --min-impressions"
        )
    problem = unidentified(groups[kept], tuple(query.items[item] for item in kept))
    if problem:
        raise ArgumentError(f"{problem}; log them in other orders")
    same = lengths == n_positions
    return LogQuery(
        number=number,
        query=query.query,
        kept=tuple(kept.tolist()),
        rare=tuple(np.delete(query.items, kept).tolist()),
        n_positions=n_positions,
        n_sessions=query.n_sessions + read.held_out[number].n_sessions,
        pages=Pages(
            query.query,
            np.ascontiguousarray(pages.items[same, :n_positions]),
            np.ascontiguousarray(pages.clicks[same, :n_positions]),
            pages.sessions[same],
        ),
    )


def compared_items(
    query: QueryStatistics, held_out: QueryStatistics, min_impressions: int
) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Return the items shown often enough, and for all items which the log can compare.

    Impressions in held-out sessions count, too; the comparison of items ignores them.
    """
    table, n_items = shown_table(query), len(query.items)
    groups = comparable_groups(table.item, table.position, table.clicks, n_items)
    impressions = sum(
        np.bincount(part.item, part.impressions, n_items) for part in (table, shown_table(held_out))
    )
    return np.flatnonzero(impressions >= min_impressions), groups


def items_left_out(query: LogQuery, min_impressions: int) -> str:
    """Say which items of a query are not played."""
    n_kept, n_rare = len(query.kept), len(query.rare)
    more = f" and {n_rare - MOST_NAMED:,} more" if n_rare > MOST_NAMED else ""
    return (
        f"played {n_kept:,} of {n_kept + n_rare:,} items; left out, shown fewer than "
        f"{min_impressions:,} times: {', '.join(query.rare[:MOST_NAMED])}{more}"
    )


def item_clicks(query: QueryStatistics) -> NDArray[np.float64]:
    """Return the number of clicks on each item."""
    table = shown_table(query)
    return np.asarray(np.bincount(table.item, table.clicks, len(query.items)), np.float64)


def shown_table(query: QueryStatistics) -> Shown:
    if query.shown is None:
        raise ArgumentError("statistics must have the table 'shown': read them for pbm, too")
    return query.shown


def nearly_best(
    fits: Mapping[str, Sequence[Fit]], pages: Sequence[Pages], best: str, within: float
) -> list[str]:
    """Return the models that predict nearly as well as the best one, which comes first.

    A model is nearly as good if it needs at most two standard errors of the difference more bits
    than the best one, or at most the share `within` more.
    """
    sessions = np.concatenate([each.sessions for each in pages])
    bits = {
        name: np.concatenate(
            [page_bits(one.model(), each) for one, each in zip(of, pages, strict=True)]
        )
        for name, of in fits.items()
    }
    least = np.average(bits[best], weights=sessions)
    found = [best]
    for name in fits:
        more = bits[name] - bits[best]
        mean = np.average(more, weights=sessions)
        error = np.sqrt(np.average((more - mean) ** 2, weights=sessions) / sessions.sum())
        if name != best and mean <= max(ERRORS * error, within * least):
            found.append(name)
    return found


def log_problem(query: LogQuery, fitted: Fit) -> LogProblem:
    """Return the problem of one query under one fit."""
    logged = prediction([(fitted.model(), query.pages)])
    users = played_users(query, fitted)
    best = best_order(users, query.n_positions)
    return LogProblem(
        users=users,
        best=best,
        logged=float(logged.expected.sum() / logged.shown[0]),
        best_value=users.value(best),
    )


def played_users(query: LogQuery, fitted: Fit) -> ClickModel:
    """Return the fitted users of the kept items, on pages of the query's length."""
    users = kept_items(fitted, query.kept).model()
    if isinstance(users, PBM):
        return PBM(users.attraction, users.examination[: query.n_positions])
    return users


def best_order(users: ClickModel, n_positions: int) -> tuple[int, ...]:
    """Return the best ranking, or a good one where no formula gives it and the search is too long.

    The search for a good ranking begins with the most attractive items and makes the best exchange
    of two items as long as an exchange improves the ranking.
    """
    try:
        return users.best_ranking(n_positions)
    except ArgumentError:
        order = np.argsort(-users.attraction, kind="stable")
    while True:
        better = exchanged(order, n_positions)
        values = users.values(np.ascontiguousarray(better[:, :n_positions]))
        if values.max() <= users.value(order[:n_positions].tolist()):
            return tuple(order[:n_positions].tolist())
        order = better[values.argmax()]


def exchanged(order: NDArray[np.int64], n_positions: int) -> NDArray[np.int64]:
    """Return all orders with two items exchanged, one of them at least on the page."""
    found = []
    for position in range(n_positions):
        for other in range(position + 1, order.size):
            found.append(order.copy())
            found[-1][[position, other]] = order[[other, position]]
    return np.array(found)
