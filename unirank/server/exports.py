"""The log in formats that other programs read.

jsonl    an entry of the log per line
parquet  the outcomes as a table
obp      logged slates as Open Bandit Pipeline wants them: a row per item shown
ubi      User Behavior Insights, as OpenSearch keeps them: a query per view, an event per click

jsonl and parquet mark the views that a rebuild left out; obp and ubi leave them out.
"""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from unirank.extras import optional
from unirank.server.store.store import Click, Entry, Store
from unirank.server.view import ItemId, View

Named = tuple[str, Entry]  # with the name of its page


class Known(NamedTuple):
    """What some formats need, and entries of the log do not have."""

    items: Mapping[int, list[ItemId]] = {}  # by page: all that it ever had
    clicked_at: Mapping[Click, float] = {}


NOTHING = Known()


def record(page: str, entry: Entry) -> dict[str, Any]:
    """Return an entry of the log as plain data."""
    found: dict[str, Any] = {"number": entry.number, "page": page, "at": entry.at}
    if entry.view is None:
        return {**found, "change": entry.change}
    view = entry.view
    return {
        **found,
        "ranking": f"{view.id:x}",
        "shown_at": view.shown_at,
        "arm": view.arm,
        "items": view.items,
        "clicks": [view.items[position] for position in entry.clicks],
        "propensity": view.propensity,
        "session": view.session.hex(),
        "available": view.available,
        "left_out": entry.left_out,
    }


def jsonl(entries: Iterable[Named], known: Known = NOTHING) -> bytes:
    return b"".join(msgspec.json.encode(record(*each)) + b"\n" for each in entries)


def outcomes(entries: Iterable[Named]) -> Iterator[tuple[str, Entry, View]]:
    for page, entry in entries:
        if entry.view is not None:
            yield page, entry, entry.view


def parquet(entries: Iterable[Named], known: Known = NOTHING) -> bytes:
    """A table of the outcomes; item ids are texts, and in `items_json` as they are."""
    arrow, files = optional("pyarrow", "serve"), optional("pyarrow.parquet", "serve")
    texts, number, time = arrow.list_(arrow.string()), arrow.int64(), arrow.timestamp("ms", "UTC")
    kinds = {
        "number": number,
        "page": arrow.string(),
        "at": time,
        "ranking": arrow.string(),
        "shown_at": time,
        "arm": arrow.string(),
        "items": texts,
        "items_json": arrow.string(),
        "clicks": texts,
        "available": texts,
        "propensity": arrow.float64(),
        "session": arrow.string(),
        "left_out": arrow.bool_(),
    }
    rows = []
    for page, entry, _ in outcomes(entries):
        row = record(page, entry)
        row.update({name: int(row[name] * 1000) for name in ("at", "shown_at")})
        row["items_json"] = msgspec.json.encode(row["items"]).decode()
        for name in ("items", "clicks", "available"):
            row[name] = None if row[name] is None else [str(item) for item in row[name]]
        rows.append({name: row[name] for name in kinds})
    file = io.BytesIO()
    files.write_table(arrow.Table.from_pylist(rows, arrow.schema(list(kinds.items()))), file)
    return file.getvalue()


def obp(entries: Iterable[Named], known: Known = NOTHING) -> bytes:
    """Slates: `pscore` is the chance of the whole ranking; outcomes without one are left out.

    A slate has the number of its view, an action that of the item on its page: both are the same in
    every chunk. The pages of one chunk have the same actions, so the rows have their page.
    """
    rows: dict[str, list[Any]] = {
        name: [] for name in ("slate_id", "page", "arm", "action", "position", "reward", "pscore")
    }
    actions: dict[str, list[ItemId]] = {}
    numbers: dict[str, dict[ItemId, int]] = {}
    n_rounds = 0
    for page, entry, view in outcomes(entries):
        if view.propensity is None or entry.left_out:
            continue
        if page not in actions:
            actions[page] = known.items[entry.page]
            numbers[page] = {item: n for n, item in enumerate(actions[page])}
        for position, item in enumerate(view.items):
            reward = int(position in entry.clicks)
            values = (view.id, page, view.arm, numbers[page][item], position, reward)
            for column, value in zip(rows.values(), (*values, view.propensity), strict=True):
                column.append(value)
        n_rounds += 1
    n_actions = max(map(len, actions.values()), default=0)
    about = {"n_rounds": n_rounds, "n_unique_action": n_actions, "context": None}
    return msgspec.json.encode({**about, **rows, "actions": actions})


def ubi(entries: Iterable[Named], known: Known = NOTHING) -> bytes:
    """Lines of queries and events; an event has the time at which the click was reported."""
    lines: list[dict[str, Any]] = []
    for page, entry, view in outcomes(entries):
        if entry.left_out:
            continue
        query = {"query_id": f"{view.id:x}", "client_id": view.session.hex(), "application": page}
        lines.append(
            {
                **query,
                "timestamp": iso(view.shown_at),
                "user_query": page,
                "query_response_id": f"{view.id:x}",
                "query_response_hit_ids": [str(item) for item in view.items],
            }
        )
        for position in entry.clicks:
            item = {"object_id": str(view.items[position]), "object_id_field": "item"}
            lines.append(
                {
                    **query,
                    "action_name": "click",
                    "timestamp": iso(known.clicked_at.get(Click(view.id, position), entry.at)),
                    "event_attributes": {"object": item, "position": {"ordinal": position + 1}},
                }
            )
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")


def export(store: Store, format_: str, after: int, most: int) -> tuple[bytes, int]:
    """Return entries of the log after a number, in a format, and the number to go on after."""
    entries = store.log_after(after, most)
    pages = {entry.page for entry in entries}
    names, known = store.page_names(pages), NOTHING
    if format_ == "obp":
        known = Known(items=store.page_items(pages))
    elif format_ == "ubi":
        clicked = [entry.view.id for entry in entries if entry.view and entry.clicks]
        known = Known(clicked_at=store.click_times(clicked))
    write, _ = FORMATS[format_]
    content = write(((names[entry.page], entry) for entry in entries), known)
    return content, entries[-1].number if entries else after


FORMATS: dict[str, tuple[Callable[[Iterable[Named], Known], bytes], str]] = {
    "jsonl": (jsonl, "application/jsonl"),
    "parquet": (parquet, "application/vnd.apache.parquet"),
    "obp": (obp, "application/json"),
    "ubi": (ubi, "application/jsonl"),
}
