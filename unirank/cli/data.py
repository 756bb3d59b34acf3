"""`unirank data`: which real data sets there are, where they lie, and what is odd in them."""

import json
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from unirank import arguments
from unirank.datasets import catalogue
from unirank.datasets.description import described
from unirank.datasets.fetching import fetch
from unirank.datasets.published import FILES, found, located
from unirank.errors import ArgumentError

SHOWN = 10  # queries of one anomaly in the text; --json has them all
FILE_OF = {name: each.file for name, each in catalogue.DATA_SETS.items()} | {n: n for n in FILES}


def data(
    action: Literal["list", "fetch", "describe"] = "list",
    *names: str,
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> None:
    """List, fetch or describe the real data sets.

    Files are looked for in the folder that UNIRANK_DATA names (mirror), then among those fetched
    before (cache).

    Parameters
    ----------
    action
        list: what there is; fetch: download into the cache; describe: numbers and anomalies.
    names
        Data sets; default: all, for fetch all that have an address.
    json_
        Print JSON.
    """
    for name in names:
        arguments.choice("data set", name, list(FILE_OF))
    console = Console()
    if action == "describe":
        if len(names) != 1:
            raise ArgumentError(f"describe must be given one data set, got {len(names)}")
        report = described(names[0])
        console.print_json(json.dumps(report)) if json_ else print_description(console, report)
        return
    rows = fetched(names) if action == "fetch" else listed(names)
    if json_:
        console.print_json(json.dumps(rows))
    elif action == "list":
        console.print(table(rows))
    else:
        for row in rows:
            console.print(f"{row['name']}: {row['path']}", highlight=False, soft_wrap=True)


def listed(names: Iterable[str] = ()) -> list[dict[str, Any]]:
    """One row per data set, and per file that is none but can be fitted on."""
    used = {each.file for each in catalogue.DATA_SETS.values()}
    rows = []
    for name in names or (*catalogue.DATA_SETS, *(file for file in FILES if file not in used)):
        published = FILES[FILE_OF[name]]
        known = catalogue.DATA_SETS.get(name)
        rows.append(
            {
                "name": name,
                "click model": known.click_model if known else "",
                "queries": known.n_queries if known else "",
                "licence": published.licence,
                "found": state(published.name),
                "file": published.file,
            }
        )
    return rows


def state(file: str) -> str:
    """Where a published file lies now, or what is wrong with it."""
    place = found(file)
    if place is None:
        return "missing"
    try:
        located(file)
    except ArgumentError:
        return f"{place[0]}: not the published file"
    return place[0]


def fetched(names: Iterable[str] = ()) -> list[dict[str, Any]]:
    """One row per file, however many data sets it holds; those in the mirror stay there."""
    every = [name for name, published in FILES.items() if published.address]
    paths = {FILE_OF[name]: fetch(FILE_OF[name]) for name in names or every}
    return [
        {"name": file, "found": state(file), "path": str(path), "licence": FILES[file].licence}
        for file, path in paths.items()
    ]


def table(rows: list[dict[str, Any]]) -> Table:
    grid = Table(box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    for column in rows[0]:
        grid.add_column(column, overflow="fold", no_wrap=column == "name")
    for row in rows:
        grid.add_row(*(str(value) for value in row.values()))
    return grid


def print_description(console: Console, report: dict[str, Any]) -> None:
    """The facts, then the anomalies by kind; one that is everywhere needs no list of queries."""
    facts = Table.grid(padding=(0, 2))
    for key in ("name", "about", "licence", "path", "click model", "queries"):
        facts.add_row(key, str(report[key]))
    for key, (low, high) in report["ranges"].items():
        facts.add_row(key, f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}")
    console.print(facts, highlight=False)
    kinds = dict.fromkeys(each["kind"] for each in report["anomalies"])
    for kind in kinds:
        hits = [each for each in report["anomalies"] if each["kind"] == kind]
        count = len({each["query"] for each in hits})
        console.print(f"\n{kind}: {count} of {report['queries']} queries", highlight=False)
        if count == report["queries"] and len({each["text"] for each in hits}) == 1:
            console.print(f"  all: {hits[0]['text']}", highlight=False)
            continue
        for each in hits[:SHOWN]:
            console.print(f"  {each['query']}: {each['text']}", highlight=False)
        if len(hits) > SHOWN:
            console.print(f"  and {len(hits) - SHOWN} more (--json has all)", highlight=False)
    if not kinds:
        console.print("\nno anomalies")
