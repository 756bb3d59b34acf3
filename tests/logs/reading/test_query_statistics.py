"""Numbers of items: by query, in the order of ids as text."""

import numpy as np
import pyarrow as pa

from unirank.logs.reading.query_statistics import Numbering

PAIRS = pa.table({"query": ["q", "q", "r", "q", "r"], "item": ["9", "10", "z", "a", "10"]})


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
