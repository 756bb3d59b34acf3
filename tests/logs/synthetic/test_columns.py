"""Tables hold what was shown, and counts its sums; a table becomes lines with commas."""

from collections import Counter

import pyarrow as pa

from tests.logs.synthetic.made import small_log, small_sessions
from tests.reference.synthetic_log import from_rows
from unirank.logs.synthetic.columns import counts_table, session_lines, session_tables, table_lines
from unirank.logs.synthetic.line_formats import LINE_FORMATS


def test_tables_are_the_sessions() -> None:
    log = small_log()
    rows = [
        tuple(row.values())
        for table in session_tables(log, log.blocks(100, 30))
        for row in table.to_pylist()
    ]
    assert from_rows(rows) == small_sessions(100)
    assert {row[0] for row in rows} == set(range(1, 101))


def test_counts_are_sums_over_sessions() -> None:
    log = small_log()
    shown: Counter[tuple[str, str, int]] = Counter()
    clicked: Counter[tuple[str, str, int]] = Counter()
    for session in small_sessions(150):
        for position, item in enumerate(session.items):
            shown[session.query, item, position + 1] += 1
            clicked[session.query, item, position + 1] += position in session.clicks
    table = counts_table(log, log.blocks(150, 40)).to_pylist()
    assert list(table[0]) == ["query", "item", "position", "impressions", "clicks"]
    found = {(row["query"], row["item"], row["position"]): row for row in table}
    assert len(found) == len(table)
    assert {key: row["impressions"] for key, row in found.items()} == shown
    assert {key: row["clicks"] for key, row in found.items()} == clicked


def test_lines_of_a_block_stand_one_behind_the_other() -> None:
    log = small_log()
    for name in LINE_FORMATS:
        for lines in session_lines(log, LINE_FORMATS[name], log.blocks(50, 20)):
            assert bytes(lines.buffers()[2]) == b"".join(lines.to_pylist())
            assert all(line.count(b"\n") == 1 for line in lines.to_pylist())


def test_a_table_as_lines() -> None:
    lines = table_lines(pa.table({"a": ["x", "y"], "b": [1, 20]}))
    assert lines.to_pylist() == [b"x,1\n", b"y,20\n"]
    assert bytes(lines.buffers()[2]) == b"x,1\ny,20\n"
