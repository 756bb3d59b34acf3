"""What a log says of one query, in numbers whose size does not grow with the log.

Every estimator reads one of four tables and nothing else. Items are numbered from 0, positions too,
the top of the page first. What was never shown has no row.

    shown        by item and position                       PBM
    first_click  by item, down to the first click           CM
    last_click   by item, position and the click above it   UBM
    chains       by item and position down to the last      DCM, SDBN, DBN, CCM
                 click, and every different page below it

Chain models leave it open how far a user who clicks no more has read; that depends on all items
below the last click, so the different tails of pages are kept, each with its number of sessions.
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
    """One row per item: how often at or above the first click, and how often that click.

    A page without a click is read to its end. Clicks after the first are not counted here.
    """

    item: Integers
    impressions: Integers
    clicks: Integers


class LastClick(NamedTuple):
    """One row per item, position and `last`: the position of the last click above it.

    Without a click above it, `last` is n_positions - 1, the last column of a UBM's examination.
    """

    item: Integers
    position: Integers
    last: Integers
    impressions: Integers
    clicks: Integers


class Chains(NamedTuple):
    """Sessions cut at their last click: what is above or at it, and what is at it or below.

    Above or at it, one row per item and position, over sessions with a click: `impressions` (all
    read), `clicks` and `last_clicks`. At it or below, one row per different tail: `tails[n, k]` is
    the item at position k from the last click on (or from the top, without a click), and -1 above
    that and beyond the end of a short page. `clicked[n]` is the last click's position, or -1.
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
    """All that was counted for one query; a table that no wanted model reads is None."""

    query: str
    items: tuple[str, ...]  # ids, by number
    n_positions: int
    n_sessions: int  # pages shown; 0 where the log holds counts only
    shown: Shown | None = None
    first_click: FirstClick | None = None
    last_click: LastClick | None = None
    chains: Chains | None = None


class Pages(NamedTuple):
    """The different pages of one query with their clicks: what a model's likelihood is made of."""

    query: str
    items: Integers  # (n_pages, n_positions), numbers as in QueryStatistics, -1 beyond the end
    clicks: NDArray[np.bool_]  # (n_pages, n_positions)
    sessions: Integers  # (n_pages,)
