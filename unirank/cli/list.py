"""`unirank list`: what there is, straight from the registries."""

import json
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table

from unirank import click_models, policies
from unirank.lab import list_experiments, load_experiment
from unirank.registry import Registry

Kind = Literal["policies", "click-models", "experiments"]


def list_names(
    kind: Kind | None = None,
    *,
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> None:
    """List policies, click models and experiments.

    Parameters
    ----------
    kind
        Only one of them.
    json_
        Print JSON.
    """
    found = {kind: listed(kind)} if kind else {k: listed(k) for k in Kind.__args__}  # type: ignore[attr-defined]
    console = Console()
    if json_:
        console.print_json(json.dumps(found))
        return
    for title, rows in found.items():
        table = Table(title=title, title_justify="left", show_edge=False)
        for column in rows[0]:
            table.add_column(column)
        for row in rows:
            table.add_row(*row.values())
        console.print(table)
        console.print()


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
