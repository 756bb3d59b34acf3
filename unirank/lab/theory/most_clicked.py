"""The most clicked list beside the one by decreasing attraction: whom does it serve?

Where a click can end the visit, showing weak items first makes people click more often before they
find the good one. These are more clicks, but not more visits with a click, and the first click
comes later.
"""

from dataclasses import dataclass

import numpy as np

from unirank.errors import ArgumentError
from unirank.users import ClickModel
from unirank.users.objective import ANY_CLICK, FIRST_CLICK


@dataclass(frozen=True)
class ListWorth:
    """One list under each objective."""

    ranking: tuple[int, ...]
    clicks: float
    any_click: float
    reciprocal_rank: float  # of the first click
    rank: float  # mean position of the first click, from 1 on, in visits that have one


@dataclass(frozen=True)
class Lists:
    """The list by decreasing attraction, and the list with the most clicks."""

    by_attraction: ListWorth
    most_clicked: ListWorth

    @property
    def same(self) -> bool:
        return self.by_attraction.ranking == self.most_clicked.ranking

    @property
    def is_reversed(self) -> bool:
        return self.by_attraction.ranking[::-1] == self.most_clicked.ranking


def compare_lists(users: ClickModel, n_positions: int) -> Lists | None:
    """Return both lists; None if the click model cannot tell the best or where the first click is.

    None also if nobody ever clicks on one of them, so that there is no first click.

    >>> from unirank import DBN
    >>> lists = compare_lists(DBN([0.5, 0.4], [1.0, 0.0], abandon=0.0), 2)
    >>> lists.most_clicked.ranking, round(lists.most_clicked.clicks, 3)
    ((1, 0), 0.9)
    >>> lists.by_attraction.ranking, round(lists.by_attraction.clicks, 3)
    ((0, 1), 0.7)
    """
    best = np.argsort(-users.attraction, kind="stable")[:n_positions]
    rankings = [tuple(best.tolist())]
    try:
        rankings.append(users.best_ranking(n_positions))
        clicked = all(users.value(ranking, ANY_CLICK) > 0 for ranking in rankings)
    except ArgumentError:
        return None
    return Lists(*(list_worth(users, ranking) for ranking in rankings)) if clicked else None


def list_worth(users: ClickModel, ranking: tuple[int, ...]) -> ListWorth:
    first = users.first_click(ranking)
    any_click = users.value(ranking, ANY_CLICK)
    rank = float(first @ np.arange(1, len(ranking) + 1)) / any_click
    return ListWorth(
        ranking, users.value(ranking), any_click, users.value(ranking, FIRST_CLICK), rank
    )
