"""Different pages and the split of sessions."""

from hashlib import md5

import ibis
import pytest

from tests.logs.reading.running import fetched, small
from unirank.logs.reading.pages import Overview, is_held_out, patterns

SESSIONS = [str(n) for n in range(200)]


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5])
def test_sessions_are_held_out_by_their_md5(share: float) -> None:
    table = small({"session": SESSIONS})
    rows = fetched(table.select("session", held=is_held_out(table.session, share)))
    assert len(rows) == len(SESSIONS)
    for row in rows:
        number = int(md5(row["session"].encode()).hexdigest()[:8], 16) / 2**32
        assert row["held"] == (number < share)


def test_different_pages_are_counted_and_cut() -> None:
    table = small(
        {
            "session": ["1", "2", "3", "4"],
            "query": ["q"] * 4,
            "item_0": ["a", "a", "a", "a"],
            "item_1": ["b", "b", "c", "b"],
            "mask": [3, 1, 1, 1],
            "defect": [None, None, None, "gap"],
            "sessions": [1, 1, 1, 1],
        },
    )
    whole = fetched(patterns(table, 2, 0.0))
    found = {(row["item_0"], row["item_1"], row["mask"]): row["sessions"] for row in whole}
    assert found == {("a", "b", 3): 1, ("a", "b", 1): 1, ("a", "c", 1): 1, (None, None, 0): 1}
    cut = fetched(patterns(table, 1, 0.0))
    assert {(row["item_0"], row["mask"]): row["sessions"] for row in cut} == {
        ("a", 1): 3,
        (None, 0): 1,
    }


def test_pages_in_one_text_are_counted_and_cut() -> None:
    table = small(
        {
            "session": ["1", "2", "3", "4"],
            "query": ["q"] * 4,
            "shown": ["\ta\tb\t", "\ta\t", "\ta\tc\t", "\ta\t\tb\t"],
            "mask": [3, 1, 1, 1],
            "defect": [None, None, None, "gap"],
            "sessions": [1, 1, 1, 1],
        },
    )
    whole = fetched(patterns(table, 2, 0.0))
    found = {(row["item_0"], row["item_1"], row["mask"]): row["sessions"] for row in whole}
    assert found == {("a", "b", 3): 1, ("a", None, 1): 1, ("a", "c", 1): 1, (None, None, 0): 1}
    cut = fetched(patterns(table, 1, 0.0))
    assert sorted((row["item_0"] or "", row["mask"], row["sessions"]) for row in cut) == [
        ("", 0, 1),
        ("a", 1, 3),
    ]


def test_an_overview_sums_by_query_and_kind() -> None:
    table = small({"q": ["a", "a", "b"], "n": [2, 4, 1], "page": [True, False, True]})
    rows = fetched(
        Overview.of(
            table,
            bad=ibis.null("string"),
            query=table.q,
            pages=table.page,
            width=table.n,
            test=~table.page,
        ).order_by("query")
    )
    assert [tuple(row.values()) for row in rows] == [
        (None, "a", 2, 1, 4, 1),
        (None, "b", 1, 1, 1, 0),
    ]
