"""The log in formats that other programs read.

jsonl    an entry a line, as it is
parquet  the same outcomes as a table (needs pyarrow: the extra `lab`)
obp      logged slates as Open Bandit Pipeline wants them: a row per item shown
ubi      User Behavior Insights, as OpenSearch keeps them: a query per list, an event per click
"""

import io
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from unirank.extras import optional
from unirank.server.impression import Impression
from unirank.server.store.store import Entry

Named = tuple[str, Entry]  # with the name of its page


def record(page: str, entry: Entry) -> dict[str, Any]:
    """An entry of the log as plain data."""
    found: dict[str, Any] = {"number": entry.number, "page": page, "at": entry.at}
    if entry.impression is None:
        return {**found, "change": entry.change}
    shown = entry.impression
    return {
        **found,
        "ranking": f"{shown.id:x}",
        "shown_at": shown.shown_at,
        "arm": shown.arm,
        "items": shown.items,
        "clicks": [shown.items[position] for position in entry.clicks],
        "propensity": shown.propensity,
        "session": shown.session.hex(),
        "available": shown.available,
        "left_out": entry.left_out,
    }


def jsonl(entries: Iterable[Named]) -> bytes:
    return b"".join(msgspec.json.encode(record(*each)) + b"\n" for each in entries)


def outcomes(entries: Iterable[Named]) -> Iterator[tuple[str, Entry, Impression]]:
    for page, entry in entries:
        if entry.impression is not None:
            yield page, entry, entry.impression


def parquet(entries: Iterable[Named]) -> bytes:
    """A table of the outcomes; item ids are texts."""
    arrow, files = optional("pyarrow", "lab"), optional("pyarrow.parquet", "lab")
    texts, number, time = arrow.list_(arrow.string()), arrow.int64(), arrow.timestamp("ms", "UTC")
    kinds = {
        "number": number,
        "page": arrow.string(),
        "at": time,
        "ranking": arrow.string(),
        "shown_at": time,
        "arm": arrow.string(),
        "items": texts,
        "clicks": texts,
        "propensity": arrow.float64(),
        "session": arrow.string(),
        "left_out": arrow.bool_(),
    }
    rows = []
    for page, entry, _ in outcomes(entries):
        row = record(page, entry)
        row.update({name: int(row[name] * 1000) for name in ("at", "shown_at")})
        row.update({name: [str(item) for item in row[name]] for name in ("items", "clicks")})
        rows.append({name: row[name] for name in kinds})
    file = io.BytesIO()
    files.write_table(arrow.Table.from_pylist(rows, arrow.schema(list(kinds.items()))), file)
    return file.getvalue()


def obp(entries: Iterable[Named]) -> bytes:
    """Slates: `pscore` is the chance of the whole list; outcomes without one are left out."""
    slate_id, action, position, reward, pscore = ([] for _ in range(5))
    numbers: dict[Any, int] = {}
    n_rounds = 0
    for page, entry, shown in outcomes(entries):
        if shown.propensity is None or entry.left_out:
            continue
        for place, item in enumerate(shown.items):
            slate_id.append(n_rounds)
            action.append(numbers.setdefault((page, item), len(numbers)))
            position.append(place)
            reward.append(int(place in entry.clicks))
            pscore.append(shown.propensity)
        n_rounds += 1
    names = [{"page": page, "item": item} for page, item in numbers]
    feedback = {
        "n_rounds": n_rounds,
        "n_unique_action": len(numbers),
        "slate_id": slate_id,
        "action": action,
        "position": position,
        "reward": reward,
        "pscore": pscore,
        "context": None,
        "actions": names,
    }
    return msgspec.json.encode(feedback)


def ubi(entries: Iterable[Named]) -> bytes:
    """Lines of queries and events; an event has the time at which the window closed."""
    lines: list[dict[str, Any]] = []
    for page, entry, shown in outcomes(entries):
        query = {"query_id": f"{shown.id:x}", "client_id": shown.session.hex(), "application": page}
        lines.append(
            {
                **query,
                "timestamp": iso(shown.shown_at),
                "user_query": page,
                "query_response_id": f"{shown.id:x}",
                "query_response_hit_ids": [str(item) for item in shown.items],
            }
        )
        for place in entry.clicks:
            item = {"object_id": str(shown.items[place]), "object_id_field": "item"}
            lines.append(
                {
                    **query,
                    "action_name": "click",
                    "timestamp": iso(entry.at),
                    "event_attributes": {"object": item, "position": {"ordinal": place + 1}},
                }
            )
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")


FORMATS: dict[str, tuple[Callable[[Iterable[Named]], bytes], str]] = {
    "jsonl": (jsonl, "application/jsonl"),
    "parquet": (parquet, "application/vnd.apache.parquet"),
    "obp": (obp, "application/json"),
    "ubi": (ubi, "application/jsonl"),
}
