"""`unirank data`: list, fetch and describe the published data sets."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from cyclopts import App
from rich.console import Console
from rich.table import Table
from rich.text import Text

from unirank import arguments
from unirank.cli.make_log import make_log
from unirank.cli.output import AsJson, say, table
from unirank.errors import ArgumentError
from unirank.lab.datasets import catalogue
from unirank.lab.datasets.description import described, described_file
from unirank.lab.datasets.download import fetch
from unirank.lab.datasets.problems import is_fitted_file
from unirank.lab.datasets.published_files import FILES, found, located

FILE_OF = {name: each.file for name, each in catalogue.DATA_SETS.items()} | {n: n for n in FILES}
SHOWN = 10  # queries in the text; --json has them all

data = App(
    name="data",
    help="List, fetch and describe real data sets, and make logs of known users.\n\nFiles are "
    "looked for in the folder that UNIRANK_DATA names (mirror), then among those fetched before "
    "(cache).",
    help_format="plaintext",
)

data.command(make_log, name="make-log")


@data.default
@data.command(name="list")
def list_data(*names: str, json_: AsJson = False) -> None:
    """List what data sets there are, and where.

    Parameters
    ----------
    names
        Data sets; default: all.
    json_
        Print JSON.
    """
    rows = data_rows(checked_names(names))
    console = Console()
    if json_:
        console.print_json(json.dumps(rows))
        return
    cells = [[str(value) for value in row.values()] for row in rows]
    console.print(table(list(rows[0]), cells, numbers_from=None))


@data.command(name="fetch")
def fetch_data(*names: str, json_: AsJson = False) -> None:
    """Download data sets into the cache, unless the mirror holds them.

    Parameters
    ----------
    names
        Data sets; default: all that have an address.
    json_
        Print JSON.
    """
    rows = fetched_rows(checked_names(names))
    console = Console()
    if json_:
        console.print_json(json.dumps(rows))
        return
    for row in rows:
        say(console, f"{row['name']}: {row['path']}")


@data.command(name="describe")
def describe_data(*names: str, json_: AsJson = False) -> None:
    """Describe one data set, or one fitted file, in numbers, and tell what is odd in it.

    Parameters
    ----------
    names
        A data set, or the path of a fitted file (.json).
    json_
        Print JSON.
    """
    if len(names) != 1:
        raise ArgumentError(f"describe must be given one data set, got {len(names)}")
    console = Console()
    if is_fitted_file(names[0]):
        report, show = described_file(names[0]), print_fitted
    else:
        report, show = described(checked_names(names)[0]), print_description
    console.print_json(json.dumps(report)) if json_ else show(console, report)


def checked_names(names: Sequence[str]) -> Sequence[str]:
    for name in names:
        arguments.choice("data set", name, list(FILE_OF))
    return names


def data_rows(names: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Return a row per data set, and per other file that models can be fitted to."""
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
                "found": place_and_state(published.name),
                "file": published.file,
            }
        )
    return rows


def place_and_state(file: str) -> str:
    """Say where a published file is, or what is wrong with it."""
    place = found(file)
    if place is None:
        return "missing"
    try:
        located(file)
    except ArgumentError:
        return f"{place[0]}: not the published file"
    return place[0]


def fetched_rows(names: Iterable[str] = ()) -> list[dict[str, Any]]:
    """One row per file, however many data sets it holds; those in the mirror stay there."""
    every = [name for name, published in FILES.items() if published.address]
    paths = {FILE_OF[name]: fetch(FILE_OF[name]) for name in names or every}
    return [
        {
            "name": file,
            "found": place_and_state(file),
            "path": str(path),
            "licence": FILES[file].licence,
        }
        for file, path in paths.items()
    ]


def print_description(console: Console, report: dict[str, Any]) -> None:
    """Print the facts, then the anomalies by kind; one that all queries share is printed once."""
    keys = ("name", "about", "licence", "path", "click model", "queries")
    print_facts(console, {key: report[key] for key in keys}, report["ranges"])
    kinds = dict.fromkeys(each["kind"] for each in report["anomalies"])
    for kind in kinds:
        hits = [each for each in report["anomalies"] if each["kind"] == kind]
        count = len({each["query"] for each in hits})
        say(console, f"\n{kind}: {count} of {report['queries']} queries")
        if count == report["queries"] and len({each["text"] for each in hits}) == 1:
            say(console, f"  all: {hits[0]['text']}")
            continue
        for each in hits[:SHOWN]:
            say(console, f"  {each['query']}: {each['text']}")
        if len(hits) > SHOWN:
            say(console, f"  and {len(hits) - SHOWN} more (--json has all)")
    if not kinds:
        console.print("\nno anomalies")


def print_fitted(console: Console, report: dict[str, Any]) -> None:
    """Print the source, then each click model with its ranges and the items of some queries."""
    print_facts(console, {"path": report["path"], **report["source"]}, {})
    for model, fits in report["models"].items():
        console.print()
        facts = {"click model": model, "queries": fits["queries"]}
        print_facts(console, facts, fits["ranges"])
        for query, items in list(fits["items"].items())[:SHOWN]:
            ids = ", ".join(str(item) for item in items)
            say(console, f"  {query}: {ids}")
        if fits["queries"] > SHOWN:
            console.print(f"  and {fits['queries'] - SHOWN} more (--json has all)")
        for query, texts in fits["warnings"].items():
            for text in texts:
                say(console, f"  warning of {query}: {text}")


def print_facts(
    console: Console, facts: dict[str, Any], ranges: dict[str, tuple[float, float]]
) -> None:
    grid = Table.grid(padding=(0, 2))
    for key, value in facts.items():
        grid.add_row(Text(key), Text(str(value)))
    for key, (low, high) in ranges.items():
        grid.add_row(key, f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}")
    console.print(grid, highlight=False)
