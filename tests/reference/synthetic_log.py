"""Made-up sessions one by one, in plain Python, and readers that take each format by its word."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.reference.log_counting import Session
from tests.reference.randomness import GAME, POLICY, Rng, shuffled_prefix
from unirank.click_models import ClickModel


def drawn_sessions(
    users: Mapping[str, ClickModel],
    items: Mapping[str, Iterable[int | str]],
    *,
    n_sessions: int,
    n_positions: int,
    n_pages: int,
    zipf: float,
    seed: int,
) -> list[Session]:
    """Each session by its definition: a query by its weight, a page of it, the clicks on that."""
    weights = [1 / rank**zipf for rank in range(1, len(users) + 1)]
    found = []
    for number in range(1, n_sessions + 1):
        rng = Rng(seed, 0, POLICY, number)
        chance = rng.uniform(0) * sum(weights)
        chosen = 0
        while sum(weights[: chosen + 1]) <= chance:
            chosen += 1
        query = list(users)[chosen]
        model = users[query]
        length = min(n_positions, model.n_items, model.n_positions)
        page = rng.below(1, n_pages)
        every = list(range(model.n_items))
        ranking = shuffled_prefix(every, 0, length, Rng(seed, chosen, GAME, page))[:length]
        clicks = model.draw_clicks(ranking, seed=seed, round=number)
        ids = [str(item) for item in items[query]]
        found.append(
            Session(
                query,
                tuple(ids[item] for item in ranking),
                tuple(position for position in range(length) if clicks[position]),
            )
        )
    return found


def read_sessions(path: Path, log_format: str) -> list[Session]:
    """The sessions of a log in the order of the file; malformed lines are left out."""
    lines = path.read_bytes().split(b"\n")
    assert lines.pop() == b"", "the last line has an end"
    texts = [line.decode(errors="replace") for line in lines]
    if log_format == "sessions":
        assert texts.pop(0) == "session,query,position,item,click"
        rows = [row for row in csv.reader(texts) if len(row) == 5 and row[2].isdigit()]
        return from_rows([(row[0], row[1], int(row[2]), row[3], int(row[4])) for row in rows])
    fields = [text.split("\t") for text in texts]
    if log_format == "kdd":
        return from_kdd(fields)
    return from_yandex(fields, search=log_format == "yandex-search")


def from_rows(rows: Iterable[tuple[Any, str, int, str, int]]) -> list[Session]:
    """Sessions of rows: session, query, position from 1, item, click."""
    pages: dict[Any, tuple[str, list[str], list[int]]] = {}
    for session, query, position, item, click in rows:
        page = pages.setdefault(session, (query, [], []))
        assert page[0] == query
        page[1].append(item)
        assert position == len(page[1])
        if click:
            page[2].append(position - 1)
    return [Session(query, tuple(items), tuple(clicks)) for query, items, clicks in pages.values()]


def from_kdd(fields: list[list[str]]) -> list[Session]:
    rows = []
    for row in fields:
        if len(row) != 12 or not row[0].isdigit():
            continue
        click, impression, _, ad, _, depth, position, query, *_, user = row
        assert impression == "1"
        assert int(position) <= int(depth)
        rows.append((user, query, int(position), ad, int(click)))
    return from_rows(rows)


def from_yandex(fields: list[list[str]], *, search: bool) -> list[Session]:
    """Queries and clicks by session; a click is one on the last page shown."""
    pages: list[tuple[str, str, list[str], list[int]]] = []
    begun = ""
    for row in fields:
        if search and len(row) == 4 and row[1] == "M":
            begun = row[0]
            assert 1 <= int(row[2]) <= 27
        elif len(row) > 3 and row[2] == "Q":
            assert not search or begun == row[0]
            assert row[1] == "0"
            query = row[4] if search else row[3]
            urls = [url.split(",")[0] for url in row[6:]] if search else row[5:]
            pages.append((row[0], query, urls, []))
        elif len(row) > 3 and row[2] == "C":
            session, _, urls, clicks = pages[-1]
            assert session == row[0]
            clicks.append(urls.index(row[4] if search else row[3]))
    return [Session(query, tuple(urls), tuple(clicks)) for _, query, urls, clicks in pages]
