"""The tables of one page and its clicks, whatever they are."""

from itertools import product
from typing import Any

import pytest

from tests.logs.reading.running import fetched, small
from tests.reference.log_counting import Session, counted
from unirank.logs.reading import counting

N = 3
PAGES = [
    (items, clicks)
    for items in (("a", "b", "c"), ("b", "a"), ("c",))
    for clicks in product((0, 1), repeat=len(items))
]


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
    rows = counting.placed(pages, N)
    plans = {
        "shown": counting.shown(rows),
        "first_click": counting.first_click(rows),
        "last_click": counting.last_click(rows, N),
        "chains": counting.above_last_click(rows, N),
    }
    for name, plan in plans.items():
        table = getattr(truth, name)
        fields = [field for field in table._fields if field not in ("tails", "clicked", "sessions")]
        columns = [getattr(table, field).tolist() for field in fields]
        columns[0] = [truth.items[item] for item in columns[0]]
        found = sorted(tuple(row[field] for field in fields) for row in fetched(plan))
        assert found == list(zip(*columns, strict=True))
    assert truth.chains is not None
    (tail,) = fetched(counting.tails(pages, N))
    assert (tail["clicked"], tail["sessions"]) == (truth.chains.clicked[0], 5)
    shown = [truth.items[item] if item >= 0 else None for item in truth.chains.tails[0]]
    assert [tail[f"item_{k}"] for k in range(N)] == shown
