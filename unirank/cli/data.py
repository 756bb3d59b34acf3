"""`unirank data`: which real data sets there are, where they lie, and what is odd in them."""

import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from cyclopts import App, Parameter
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from unirank import arguments
from unirank.cli.descriptions import print_description, print_fitted
from unirank.cli.make_log import make_log
from unirank.datasets import catalogue
from unirank.datasets.description import described, described_file
from unirank.datasets.download import fetch
from unirank.datasets.problems import is_fitted_file
from unirank.datasets.published_files import FILES, found, located
from unirank.errors import ArgumentError

FILE_OF = {name: each.file for name, each in catalogue.DATA_SETS.items()} | {n: n for n in FILES}


AsJson = Annotated[bool, Parameter(name="--json", negative="")]

data = App(
    name="data",
    help="List, fetch and describe the real data sets; make logs of known users.\n\nFiles are "
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
    rows = listed(checked(names))
    console = Console()
    console.print_json(json.dumps(rows)) if json_ else console.print(table(rows))


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
    rows = fetched(checked(names))
    console = Console()
    if json_:
        console.print_json(json.dumps(rows))
        return
    for row in rows:
        console.print(f"{row['name']}: {row['path']}", highlight=False, soft_wrap=True)


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
        report, show = described(checked(names)[0]), print_description
    console.print_json(json.dumps(report)) if json_ else show(console, report)


def checked(names: Sequence[str]) -> Sequence[str]:
    for name in names:
        arguments.choice("data set", name, list(FILE_OF))
    return names


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
