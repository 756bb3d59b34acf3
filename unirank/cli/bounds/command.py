"""`unirank bounds`: does UniRank apply to a problem, and what regret does the theory allow?"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console

from unirank.cli.arguments import Count
from unirank.cli.bounds.document import document
from unirank.cli.bounds.games import BoundedTrace, bound_figure, play_unirank
from unirank.cli.bounds.tables import Reports, print_report, print_summary
from unirank.cli.output import AsJson, say
from unirank.errors import ArgumentError
from unirank.files import writable_folder, write_atomically
from unirank.lab.bounds import problems_of
from unirank.lab.plots.saving import save_figure, targets
from unirank.lab.simulation.games import check_scale
from unirank.lab.theory import examine


def bounds(
    *problems: str,
    n_positions: int | None = None,
    plot: Annotated[list[Path] | None, Parameter(negative="")] = None,
    n_rounds: Count = 10**9,
    n_games: Count = 20,
    seed: int = 0,
    table: Path | None = None,
    json_: AsJson = False,
) -> None:
    """Check the paper's assumptions on problems and compute bounds on UniRank's regret.

    Parameters
    ----------
    problems
        Experiments or data sets by name, TOML files of experiments, or JSON files of click
        models (`ClickModel.to_json`). Default: simul-pbm.
    n_positions
        Positions of the page; default: the experiment's.
    plot
        Play UniRank, draw its regret under the bound into this figure, and print both by
        decade. May be repeated.
    n_rounds
        Rounds per game that --plot plays.
    n_games
        Games that --plot plays on each problem.
    seed
        Seed of those games.
    table
        Also write a Markdown file (.md) of how many problems satisfy which assumption, with
        the first counter-examples and, after --plot, what was measured.
    json_
        Print JSON.
    """
    console = Console(stderr=json_)
    if table is not None and table.suffix != ".md":
        raise ArgumentError(f"table must end in .md, got {str(table)!r}")
    figures = targets(plot or [])
    check_scale(n_rounds=n_rounds, n_games=n_games, seed=seed)
    chosen = {target: problems_of(target, n_positions) for target in problems or ("simul-pbm",)}
    reports = {
        target: {name: examine(one.users, one.n_positions) for name, one in found.items()}
        for target, found in chosen.items()
    }
    print_reports(console, reports)
    content: dict[str, Any] = {
        target: {name: report.to_dict() for name, report in found.items()}
        for target, found in reports.items()
    }
    measured: list[BoundedTrace] = []
    if figures:
        measured = play_unirank(console, chosen, n_rounds=n_rounds, n_games=n_games, seed=seed)
        figure = bound_figure(measured)
        for file in figures:
            writable_folder("plot", file.parent)
            save_figure(figure, file)
            say(console, f"wrote {file}")
        content = {"problems": content, "measured": [one.to_dict() for one in measured]}
    if table is not None:
        writable_folder("table", table.parent)
        write_atomically(table, document(reports, [one.to_dict() for one in measured]).encode())
        say(console, f"wrote {table}")
    if json_:
        Console().print_json(json.dumps(content))


def print_reports(console: Console, reports: Mapping[str, Reports]) -> None:
    """Print one problem in detail, or a row for each of several."""
    everything = [(name, one) for found in reports.values() for name, one in found.items()]
    if len(everything) == 1:
        print_report(console, *everything[0])
    else:
        print_summary(console, reports)
