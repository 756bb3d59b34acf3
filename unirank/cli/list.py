"""`unirank list`: what there is, straight from the registries."""

import json
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from unirank import click_models, policies
from unirank.lab import list_experiments, load_experiment
from unirank.registry import Registry

Kind = Literal["policies", "click-models", "experiments"]


def list_names(
    kind: Kind | None = None,
    *,
    long: Annotated[bool, Parameter(negative="")] = False,
    markdown: Annotated[bool, Parameter(negative="")] = False,
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> None:
    """List policies, click models and experiments.

    Parameters
    ----------
    kind
        Only one of them.
    long
        Say also what each policy does, its options and the paper it comes from.
    markdown
        Print Markdown tables: those of the README.
    json_
        Print JSON.
    """
    found = {kind: listed(kind)} if kind else {k: listed(k) for k in Kind.__args__}  # type: ignore[attr-defined]
    console = Console()
    if json_:
        console.print_json(json.dumps(found))
        return
    if markdown:
        for rows in found.values():
            console.print(as_markdown(rows), markup=False, highlight=False, soft_wrap=True)
        return
    for title, rows in found.items():
        console.print(title, style="bold")
        console.print(needs(rows) if title == "policies" and not long else described(rows))


def as_markdown(rows: list[dict[str, str]]) -> str:
    """A table of all that fits on a line: options are for `--long`."""
    columns = [key for key in rows[0] if key not in ("lists", "options")]
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    for row in rows:
        cells = [row[column].replace("|", "\\|") for column in columns]
        lines.append(f"| {' | '.join([f'`{cells[0]}`', *cells[1:]])} |")
    return "\n".join(lines) + "\n"


def needs(rows: list[dict[str, str]]) -> Table:
    """Who can be used where: one row per policy, what it assumes and what it must be told."""
    columns = ("clicks", "knows", "horizon", "lists", "regret")
    table = Table(box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    table.add_column("name", no_wrap=True)
    for column in columns:
        table.add_column(column)
    for row in rows:
        table.add_row(row["name"], *(row.get(column, "") for column in columns))
    return table


def described(rows: list[dict[str, str]]) -> Table:
    """Name and sentence, then all facts that there are."""
    table = Table.grid(padding=(0, 2), pad_edge=True)
    table.add_column(no_wrap=True)
    for row in rows:
        name, what, *facts = ((key, value) for key, value in row.items() if value)
        table.add_row(name[1], what[1])
        if facts:
            table.add_row("", " · ".join(f"{key}: {value}" for key, value in facts), style="dim")
    return table


def listed(kind: Kind) -> list[dict[str, str]]:
    """One row per name."""
    if kind == "experiments":
        loaded = [load_experiment(name) for name in list_experiments()]
        return [{"name": e.name, "question": e.question} for e in loaded]
    registry: Registry[Any] = policies.registry if kind == "policies" else click_models.registry
    rows = [{"name": e.name, "what it does": e.summary, **e.facts} for e in registry]
    if kind == "policies":
        for row in rows:
            names = policies.registry[row["name"]].option_names()
            row["options"] = ", ".join(name for name in names if name != "max_pending")
    return rows
