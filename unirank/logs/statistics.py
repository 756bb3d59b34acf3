"""Sufficient statistics of one query of a log; their size does not grow with the log.

Every estimator reads one of four tables. Items and positions are numbered from 0; position 0 is the
top of the page. Items never shown have no row.

    shown        by item and position                       PBM
    first_click  by item, down to the first click           CM
    last_click   by item, position and the click above it   UBM
    chains       by item and position down to the last      DCM, SDBN, DBN, CCM
                 click, and every different page below it

In chain models the depth that a user has read below the last click is hidden and depends on all
items there, so the different tails of pages are kept, each with its number of sessions.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


class Shown(NamedTuple):
    """One row per item and position."""

    item: Integers
    position: Integers
    impressions: Integers
    clicks: Integers


class FirstClick(NamedTuple):
    """One row per item: impressions at or above the first click, and first clicks.

    A page without a click counts to its end.
    """

    item: Integers
    impressions: Integers
    clicks: Integers


class LastClick(NamedTuple):
    """One row per item, position and `last`, the position of the last click above it.

    Without a click above, `last` is n_positions - 1, the last column of a UBM's examination.
    """

    item: Integers
    position: Integers
    last: Integers
    impressions: Integers
    clicks: Integers


class Chains(NamedTuple):
    """Sessions split at their last click.

    The columns up to `last_clicks` have one row per item and position at or above the last click;
    all these impressions were read. The other columns have one row per different tail:
    `tails[n, k]` is the item at position k, from the last click on (without a click, from the top),
    and -1 elsewhere. `clicked[n]` is the position of the last click, or -1.
    """

    item: Integers
    position: Integers
    impressions: Integers
    clicks: Integers
    last_clicks: Integers
    tails: Integers  # (n_tails, n_positions)
    clicked: Integers  # (n_tails,)
    sessions: Integers  # (n_tails,)


class QueryStatistics(NamedTuple):
    """The tables of one query; a table that no model needs is None."""

    query: str
    items: tuple[str, ...]  # ids, by number
    n_positions: int
    n_sessions: int  # pages shown; 0 where the log holds counts only
    shown: Shown | None = None
    first_click: FirstClick | None = None
    last_click: LastClick | None = None
    chains: Chains | None = None
    first_position: int = 1  # number of the top position in the log, for what people read

    def logged(self, position: int) -> int:
        """Return the number that the log has for a position."""
        return position + self.first_position


class Pages(NamedTuple):
    """The different pages of one query with their clicks and number of sessions."""

    query: str
    items: Integers  # (n_pages, n_positions), numbers as in QueryStatistics, -1 beyond the end
    clicks: NDArray[np.bool_]  # (n_pages, n_positions)
    sessions: Integers  # (n_pages,)
