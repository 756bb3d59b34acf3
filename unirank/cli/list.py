"""`unirank list`: policies, click models and experiments, from their registries."""

import json
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table

from unirank import policies, users
from unirank.cli.output import AsJson, say, table
from unirank.lab import list_experiments, load_experiment
from unirank.markdown import markdown_table
from unirank.policies.base.facts import ABILITIES
from unirank.registry import Registry

Listed = Literal["policies", "click-models", "experiments"]


def list_names(
    kind: Listed | None = None,
    *,
    long: Annotated[bool, Parameter(negative="")] = False,
    markdown: Annotated[bool, Parameter(negative="")] = False,
    json_: AsJson = False,
) -> None:
    """List policies, click models and experiments.

    Parameters
    ----------
    kind
        Only one of them.
    long
        Say also what each policy does, its options and the paper it comes from.
    markdown
        Print Markdown tables.
    json_
        Print JSON.
    """
    found = {kind: listed_rows(kind)} if kind else {k: listed_rows(k) for k in Listed.__args__}  # type: ignore[attr-defined]
    console = Console()
    if json_:
        console.print_json(json.dumps(found))
        return
    if markdown:
        for rows in found.values():
            say(console, as_markdown(rows))
        return
    for title, rows in found.items():
        console.print(title, style="bold")
        if title == "policies" and not long:
            print_needs(console, rows)
        else:
            console.print(long_table(rows))


def as_markdown(rows: list[dict[str, str]]) -> str:
    """Return a table without the columns that are for `--long`."""
    columns = [key for key in rows[0] if key not in ("lists", "options")]
    cells = [[f"`{row['name']}`", *(row[c] for c in columns[1:])] for row in rows]
    return markdown_table(columns, cells) + "\n"


def print_needs(console: Console, rows: list[dict[str, str]]) -> None:
    """Print a row per policy: what it assumes, what it must be told, and what it can do."""
    marks = ability_marks()
    cells = [
        [row["name"], row["clicks"], must_know(row), row["regret"], can(row, marks)] for row in rows
    ]
    console.print(table(("name", "clicks", "must know", "regret", "can"), cells, numbers_from=None))
    abilities = ", ".join(f"{mark} {column}" for column, mark in marks.items())
    say(console, f"can: {abilities}")
    say(console, "order: the position looked at most; horizon: rounds to come; ( ): may be given")
    say(console, "--long: what each does, which lists it shows, its options and its paper")


def ability_marks() -> dict[str, str]:
    """Return a letter for each ability, by column: the first of the fact that is still free."""
    marks: dict[str, str] = {}
    for fact, column in ABILITIES.items():
        marks[column] = next(each for each in fact.upper() if each not in marks.values())
    return marks


def can(row: dict[str, str], marks: dict[str, str]) -> str:
    return " ".join(mark for column, mark in marks.items() if row.get(column) == "yes")


def must_know(row: dict[str, str]) -> str:
    """Return what the page must tell it; in brackets what it may tell."""
    horizon = {"yes": ["horizon"], "optional": ["(horizon)"]}.get(row["horizon"], [])
    knows = [] if row["knows"] == "nothing" else row["knows"].split(", ")
    return ", ".join([*horizon, *knows]).replace("position order", "order") or "nothing"


def long_table(rows: list[dict[str, str]]) -> Table:
    """Return name and sentence, then all facts."""
    grid = Table.grid(padding=(0, 2), pad_edge=True)
    grid.add_column(no_wrap=True)
    for row in rows:
        name, what, *facts = ((key, value) for key, value in row.items() if value)
        grid.add_row(name[1], what[1])
        if facts:
            grid.add_row("", " · ".join(f"{key}: {value}" for key, value in facts), style="dim")
    return grid


def listed_rows(kind: Listed) -> list[dict[str, str]]:
    """One row per name."""
    if kind == "experiments":
        loaded = [load_experiment(name) for name in list_experiments()]
        return [{"name": e.name, "question": e.question} for e in loaded]
    registry: Registry[Any] = policies.registry if kind == "policies" else users.registry
    rows = [{"name": e.name, "what it does": e.summary, **e.facts} for e in registry]
    if kind == "policies":
        for row in rows:
            names = policies.registry[row["name"]].option_names()
            row["options"] = ", ".join(name for name in names if name != "max_pending")
    return rows
