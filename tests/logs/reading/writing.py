"""Random sessions, and logs of them in every format, written one line at a time."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from tests.reference.log_counting import Session, counted
from unirank.logs.statistics import Pages, QueryStatistics
from unirank.users import ClickModel

N_POSITIONS = 4
QUERIES = ("7", "12", "3")  # in the order of how often they are drawn


def random_sessions(n_sessions: int, seed: int, n_positions: int = N_POSITIONS) -> list[Session]:
    """Few items, so that pages repeat; pages of any length, clicks at any positions."""
    rng = np.random.default_rng(seed)
    sessions = []
    for _ in range(n_sessions):
        query = str(rng.choice(QUERIES, p=(0.5, 0.3, 0.2)))
        length = int(rng.integers(1, n_positions + 1))
        items = rng.choice(6, length, replace=False) + int(query)
        clicks = np.flatnonzero(rng.random(length) < 0.3)
        sessions.append(Session(query, tuple(str(item) for item in items), tuple(clicks.tolist())))
    return sessions


def drawn_sessions(
    users: Mapping[str, ClickModel], n_sessions: int, n_positions: int
) -> list[Session]:
    """Clicks of the users on random rankings; the items are numbered in each query."""
    rng = np.random.default_rng(1)
    sessions = []
    for number in range(1, n_sessions + 1):
        query = str(rng.choice(list(users)))
        page = rng.permutation(users[query].n_items)[:n_positions].tolist()
        clicks = users[query].draw_clicks(page, seed=1, round=number)
        where = tuple(np.flatnonzero(clicks).tolist())
        sessions.append(Session(query, tuple(str(item) for item in page), where))
    return sessions


def relpred_lines(pages: Sequence[Session], pages_per_session: int = 3) -> list[str]:
    """A session is several pages, each followed by its clicks, the first one in the same unit."""
    lines = []
    for number, page in enumerate(pages):
        session, time = number // pages_per_session, 10 * (number % pages_per_session)
        lines.append("\t".join([f"{session}", f"{time}", "Q", page.query, "0", *page.items]))
        for later, position in enumerate(reversed(page.clicks)):
            lines.append(f"{session}\t{time + later}\tC\t{page.items[position]}")
    return lines


def search_lines(pages: Sequence[Session], pages_per_session: int = 3) -> list[str]:
    """All clicks of a session come after all its pages, which they name."""
    lines = []
    for start in range(0, len(pages), pages_per_session):
        session = start // pages_per_session
        lines.append(f"{session}\tM\t1\t99")
        for page, shown in enumerate(pages[start : start + pages_per_session]):
            urls = [f"{item},5" for item in shown.items]
            lines.append("\t".join([f"{session}", "0", "Q", f"{page}", shown.query, "1,2", *urls]))
        for page, shown in enumerate(pages[start : start + pages_per_session]):
            for position in shown.clicks:
                lines.append(f"{session}\t9\tC\t{page}\t{shown.items[position]}")
    return lines


def kdd_lines(pages: Sequence[Session]) -> list[str]:
    """One line per display, the same display of the same ad several times over."""
    lines = []
    for page in pages:
        for position, item in enumerate(page.items):
            click = int(position in page.clicks)
            depth = len(page.items)
            fields = [click, 1, 0, item, 0, depth, position + 1, page.query, 0, 0, 0, 0]
            lines.append("\t".join(str(field) for field in fields))
    return lines


def session_rows(pages: Sequence[Session], first_position: int = 1) -> list[dict[str, Any]]:
    return [
        {
            "session": str(number),
            "query": page.query,
            "position": position + first_position,
            "item": item,
            "click": int(position in page.clicks),
        }
        for number, page in enumerate(pages)
        for position, item in enumerate(page.items)
    ]


def count_table(pages: Sequence[Session], first_position: int = 1) -> list[dict[str, Any]]:
    shown: dict[tuple[str, str, int], list[int]] = defaultdict(lambda: [0, 0])
    for page in pages:
        for position, item in enumerate(page.items):
            cell = shown[page.query, item, position + first_position]
            cell[0] += 1
            cell[1] += position in page.clicks
    names = ("query", "item", "position", "impressions", "clicks")
    return [dict(zip(names, (*key, *cell), strict=True)) for key, cell in shown.items()]


def write_lines(path: Path, lines: Sequence[str]) -> Path:
    """Text, compressed as the name says."""
    kind = {".gz": "gzip", ".zst": "zstd"}.get(path.suffix)
    with pa.output_stream(str(path), compression=kind) as stream:
        stream.write("".join(f"{line}\n" for line in lines).encode())
    return path


def write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """Parquet, or CSV, compressed as the name says."""
    if path.suffix == ".parquet":
        pl.DataFrame(rows).write_parquet(path)
        return path
    lines = [",".join(rows[0]), *(",".join(map(_quoted, row.values())) for row in rows)]
    return write_lines(path, lines)


def _quoted(value: Any) -> str:
    text = str(value)
    return f'"{text}"' if any(sign in text for sign in ',"') else text


def expected(
    sessions: Sequence[Session],
    queries: Sequence[str] | None = None,
    n_positions: int = N_POSITIONS,
) -> list[QueryStatistics]:
    """Statistics of the queries, by default of all, the most frequent first."""
    if queries is None:
        seen = Counter(session.query for session in sessions)
        queries = sorted(seen, key=lambda query: (-seen[query], query))
    return [counted(sessions, query, n_positions) for query in queries]


def counts_of(statistics: Sequence[QueryStatistics]) -> list[QueryStatistics]:
    """What a log of counts can tell of the same sessions."""
    return sorted(
        (
            each._replace(n_sessions=0, first_click=None, last_click=None, chains=None)
            for each in statistics
        ),
        key=lambda each: (-int(each.shown.impressions.sum()) if each.shown else 0, each.query),
    )


def assert_same(found: Any, expected: Any) -> None:
    """Equal in every field, down to the arrays and their types."""
    if isinstance(expected, QueryStatistics | Pages) or hasattr(expected, "_fields"):
        assert type(found) is type(expected)
        for name in expected._fields:
            assert_same(getattr(found, name), getattr(expected, name))
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other)
    elif isinstance(expected, np.ndarray):
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
    else:
        assert found == expected
