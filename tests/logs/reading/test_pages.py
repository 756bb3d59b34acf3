"""Held-out sessions, and the tables counted from one page and its clicks."""

from hashlib import md5
from itertools import product
from typing import Any

import pytest

from tests.logs.reading.running import fetched, small
from tests.reference.log_counting import Session, counted
from unirank.logs.reading import pages as page_counts
from unirank.logs.reading.pages import is_held_out

N = 3
PAGES = [
    (items, clicks)
    for items in (("a", "b", "c"), ("b", "a"), ("c",))
    for clicks in product((0, 1), repeat=len(items))
]
SESSIONS = [str(n) for n in range(200)]


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5])
def test_sessions_are_held_out_by_their_md5(share: float) -> None:
    table = small({"session": SESSIONS})
    rows = fetched(table.select("session", held=is_held_out(table.session, share)))
    assert len(rows) == len(SESSIONS)
    for row in rows:
        number = int(md5(row["session"].encode()).hexdigest()[:8], 16) / 2**32
        assert row["held"] == (number < share)


def pattern(items: tuple[str, ...], clicks: tuple[int, ...], sessions: int) -> Any:
    padded = [*items, *[None] * (N - len(items))]
    return small(
        {
            "held": [False],
            "query": ["q"],
            "mask": [sum(click << k for k, click in enumerate(clicks))],
            "sessions": [sessions],
            **{f"item_{k}": [item] for k, item in enumerate(padded)},
        }
    )


@pytest.mark.parametrize(("items", "clicks"), PAGES)
def test_one_page(items: tuple[str, ...], clicks: tuple[int, ...]) -> None:
    where = tuple(k for k, click in enumerate(clicks) if click)
    truth = counted([Session("q", items, where)] * 5, "q", N)
    pages = pattern(items, clicks, sessions=5)
    rows = page_counts.placed(pages, N)
    plans = {
        "shown": page_counts.shown(rows),
        "first_click": page_counts.first_click(rows),
        "last_click": page_counts.last_click(rows, N),
        "chains": page_counts.above_last_click(rows, N),
    }
    for name, plan in plans.items():
        table = getattr(truth, name)
        fields = [field for field in table._fields if field not in ("tails", "clicked", "sessions")]
        columns = [getattr(table, field).tolist() for field in fields]
        columns[0] = [truth.items[item] for item in columns[0]]
        found = sorted(tuple(row[field] for field in fields) for row in fetched(plan))
        assert found == list(zip(*columns, strict=True))
    assert truth.chains is not None
    (tail,) = fetched(page_counts.tails(pages, N))
    assert (tail["clicked"], tail["sessions"]) == (truth.chains.clicked[0], 5)
    shown = [truth.items[item] if item >= 0 else None for item in truth.chains.tails[0]]
    assert [tail[f"item_{k}"] for k in range(N)] == shown
