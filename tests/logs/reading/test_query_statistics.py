"""Numbers of items: by query, in the order of ids as text."""

import numpy as np
import pyarrow as pa

from unirank.logs.reading.query_statistics import Numbering, by_query, collected, collected_pages

PAIRS = pa.table({"query": ["q", "q", "r", "q", "r"], "item": ["9", "10", "z", "a", "10"]})
COUNTS = {"position": [1, 0, 0, 0, 0], "impressions": [5, 6, 7, 8, 9], "clicks": [1, 2, 3, 4, 5]}


def test_items_are_numbered_within_their_query() -> None:
    numbering = Numbering(["r", "q"], PAIRS)
    assert numbering.items(0) == ("10", "z")
    assert numbering.items(1) == ("10", "9", "a")
    query = numbering.query(PAIRS)
    assert query.tolist() == [1, 1, 0, 1, 0]
    assert numbering.item(query, PAIRS["item"]).tolist() == [1, 0, 1, 2, 0]
    missing = pa.chunked_array([pa.array([None, "z"])])
    assert numbering.item(np.array([1, 0]), missing).tolist() == [-1, 1]


def test_ids_are_sorted_as_python_sorts_text() -> None:
    ids = ["b", "B", "é", "z", "\U0001f600", "\uffee", "10", "9", ""]
    numbering = Numbering(["q"], pa.table({"query": ["q"] * len(ids), "item": ids}))
    assert numbering.items(0) == tuple(sorted(ids))


def test_rows_are_sorted_and_cut_by_query() -> None:
    numbering = Numbering(["r", "q", "none"], PAIRS)
    rows = PAIRS.append_column("position", [COUNTS["position"]])
    rows = rows.append_column("impressions", [COUNTS["impressions"]])
    rows = rows.append_column("clicks", [COUNTS["clicks"]])
    parts = by_query(numbering, rows, ["item", "position", "impressions"])
    assert [[c.tolist() for c in part] for part in parts] == [
        [[0, 1], [0, 0], [9, 7]],
        [[0, 1, 2], [0, 1, 0], [6, 5, 8]],
        [[], [], []],
    ]
    found = collected(numbering, {"shown": rows}, 2, {"q": 4})
    assert [(each.query, each.n_sessions) for each in found] == [("r", 0), ("q", 4), ("none", 0)]
    assert found[0].chains is None


def test_pages_have_a_truth_value_per_position() -> None:
    rows = pa.table(
        {
            "query": ["q", "q"],
            "mask": [2, 0],
            "sessions": [3, 4],
            "item_0": ["9", "10"],
            "item_1": ["a", None],
        }
    )
    _, pages = collected_pages(Numbering(["r", "q"], PAIRS), rows, 2)
    assert pages.items.tolist() == [[0, -1], [1, 2]]
    assert pages.clicks.tolist() == [[False, False], [False, True]]
    assert pages.sessions.tolist() == [4, 3]
