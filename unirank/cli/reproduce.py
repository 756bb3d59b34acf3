"""`unirank reproduce`: the paper's evaluation, run again, with a verdict on each sentence."""

import platform
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from unirank.cli.arguments import Count
from unirank.cli.plot import draw
from unirank.extras import optional
from unirank.files import writable_folder, write_atomically
from unirank.lab import reproduction
from unirank.lab.claims import panels_of
from unirank.lab.engines import Engine
from unirank.lab.report import Timing, written
from unirank.lab.runs import play_runs
from unirank.lab.timing import measured_times
from unirank.simulation.games import check_scale, cpu_count
from unirank.simulation.trace import versions


def reproduce(
    *,
    full: Annotated[bool, Parameter(negative="")] = False,
    common: bool = True,
    n_rounds: Count | None = None,
    n_games: Count | None = None,
    seed: int = 0,
    n_workers: int | None = None,
    engine: Engine = "local",
    scheduler: str = "",
    results: Path = Path("results"),
    out: Path = Path("reproduction"),
) -> None:
    """Run the paper's six panels and write a report: what holds, what does not, with numbers.

    Panels whose data is not here are left out, and the report says how to get it. Games that are
    in the results folder already are not played again.

    Parameters
    ----------
    full
        The paper's scale, 10^7 rounds and 20 games per query: hours on two cores. By default 10^5
        rounds and 10 games, which take minutes.
    common
        Run each position-based panel also with common clicks, as the authors' simulator did.
    n_rounds
        Rounds per game, instead of either scale's.
    n_games
        Games per query, instead of either scale's.
    seed
        Seed of all random numbers.
    n_workers
        Games played at once; by default as many as there are cores.
    engine
        Threads of this process, or the workers of a Dask cluster. Same numbers.
    scheduler
        Address of a Dask scheduler; by default --engine dask starts workers on this machine.
    results
        Folder for the shards of the run.
    out
        Folder for report.md and its figures.
    """
    console = Console()
    optional("polars", "lab")
    optional("matplotlib", "lab")
    if not full:
        n_rounds = reproduction.QUICK_ROUNDS if n_rounds is None else n_rounds
        n_games = reproduction.QUICK_GAMES if n_games is None else n_games
    workers = cpu_count() if n_workers is None else n_workers
    asked = {"n_rounds": n_rounds, "n_games": n_games}
    check_scale(**{k: v for k, v in asked.items() if v is not None}, seed=seed, n_workers=workers)
    folder = writable_folder("out", out)
    plan = reproduction.prepared(
        reproduction.panel_names(common=common),
        n_rounds=n_rounds,
        n_games=n_games,
        seed=seed,
        out=writable_folder("results", results),
    )
    for line in plan.left_out:
        console.print(f"left out: {line}", highlight=False, soft_wrap=True)
    play_runs(plan.runs, [], engine=engine, n_workers=workers, scheduler=scheduler)
    console.print("measuring the time of a round", highlight=False)
    timing = measured_times()
    panels = panels_of([trace for run in plan.runs for trace in run.traces()])
    figures = {
        title: draw([t for run in chosen for t in run.traces()], folder / name)
        for title, name, chosen in (
            ("Regret by rounds", "regret", [r for r in plan.runs if "common" not in r.experiment.name]),
            ("Regret with common clicks", "regret-common", [r for r in plan.runs if "common" in r.experiment.name]),
        )
        if chosen
    }
    text = written(
        panels,
        command="unirank " + " ".join(sys.argv[1:]),
        scale=f"{plan.runs[0].curves[0].n_rounds:,} rounds, {plan.runs[0].n_games} games per query",
        machine=f"{cpu_count()} cores, {platform.machine()}, {versions()}",
        left_out=plan.left_out,
        figures=figures,
        timing=timing,
    )
    write_atomically(folder / "report.md", text.encode())
    console.print(f"wrote {folder / 'report.md'}", highlight=False, soft_wrap=True)
