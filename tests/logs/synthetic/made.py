"""A small synthetic log: three queries, the last with a page shorter than the others."""

from typing import Any

from tests.reference.log_counting import Session
from tests.reference.synthetic_log import drawn_sessions
from unirank.click_models import DBN, PBM
from unirank.logs.synthetic.drawing import SyntheticLog

USERS = {
    "12": DBN([0.9, 0.5, 0.2, 0.4, 0.1], [0.5, 0.1, 0.3, 0.9, 0.2], 0.1),
    "7": DBN([0.3, 0.6, 0.8, 0.2], [0.4, 0.5, 0.2, 0.9], 0.2),
    "30": DBN([0.7, 0.6], [0.4, 0.5], 0.05),
}
ITEMS: dict[str, list[int | str]] = {
    "12": ["a", "b", "c", "d", "e"],
    "7": [1, 2, 3, "a"],
    "30": ["x", "y"],
}
SHAPE: dict[str, Any] = {"n_positions": 3, "n_pages": 4, "zipf": 0.7, "seed": 5}
WITH_PBM = {"q": PBM([0.5, 0.4, 0.3, 0.2], [1.0, 0.5])}


def small_log(**changes: Any) -> SyntheticLog:
    return SyntheticLog(USERS, ITEMS, **{**SHAPE, **changes})


def small_sessions(n_sessions: int, **changes: Any) -> list[Session]:
    """The same sessions, by their definition."""
    return drawn_sessions(USERS, ITEMS, n_sessions=n_sessions, **{**SHAPE, **changes})
