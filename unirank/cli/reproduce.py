"""`unirank reproduce`: the paper's evaluation, run again, with a verdict on each sentence."""

import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from unirank.cli.arguments import Count
from unirank.cli.output import say
from unirank.cli.panels import panels_in
from unirank.cli.plot import Scale, regrets
from unirank.cli.tables import table_file
from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.files import writable_folder, write_atomically
from unirank.lab import reproduction
from unirank.lab.claims import panels_of
from unirank.lab.engines import Engine, check_engine
from unirank.lab.plots.saving import save_figure, targets
from unirank.lab.report import report_text
from unirank.lab.simulation import Trace
from unirank.lab.simulation.games import check_scale
from unirank.lab.simulation.scheduler import cpu_count
from unirank.lab.simulation.trace import versions
from unirank.lab.timing import Timing

SCALES: dict[Scale, str] = {"log": "", "linear": "-linear"}  # endings of the figures' names


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
    play: bool = True,
) -> None:
    """Run the paper's evaluation and write a report on which of its claims hold.

    A section of its own compares MatchRank, our own policy, with the paper's. Panels whose data is
    not here are left out, and the report says how to get it. Games that are in the results folder
    already are not played again.

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
        Folder for report.md, its figures and tables.
    play
        With --no-play, report on the games that are in the results folder, and play none.
    """
    console = Console()
    check_engine(engine, scheduler)
    for module in ("polars", "matplotlib"):
        optional(module, "lab")
    if not full:
        n_rounds = reproduction.QUICK_ROUNDS if n_rounds is None else n_rounds
        n_games = reproduction.QUICK_GAMES if n_games is None else n_games
    workers = cpu_count() if n_workers is None else n_workers
    asked = {"n_rounds": n_rounds, "n_games": n_games}
    check_scale(**{k: v for k, v in asked.items() if v is not None}, seed=seed, n_workers=workers)
    reproduction.check_enough(n_rounds, n_games)
    folder = writable_folder("out", out)
    plan = reproduction.prepared(
        reproduction.panel_names(common=common),
        n_rounds=n_rounds,
        n_games=n_games,
        seed=seed,
        out=writable_folder("results", results),
    )
    for line in plan.left_out:
        say(console, f"left out: {line}")
    effort = reproduction.play_missing(
        plan.runs, play=play, engine=engine, n_workers=workers, scheduler=scheduler
    )
    traces = [trace for run in plan.runs for trace in run.traces()]
    if not traces:
        raise ArgumentError(f"results must hold games to report on, none in {str(results)!r}")
    say(console, "measuring the time of a round")
    timing = reproduction.times()
    write_report(console, folder, traces, timing, str(effort), reproduction.all_left_out(plan))


def write_report(
    console: Console,
    folder: Path,
    traces: list[Trace],
    timing: Timing,
    effort: str,
    left_out: list[str],
) -> None:
    """Write report.md with its figures and tables."""
    text = report_text(
        panels_of(traces),
        command=" ".join(["unirank", *sys.argv[1:]]),
        scale=reproduction.scale_of(traces),
        machine=machine(),
        left_out=left_out,
        figures=draw_figures(console, traces, folder),
        timing=timing,
        effort=effort,
    )
    write_atomically(folder / "report.md", text.encode())
    say(console, f"wrote {folder / 'report.md'}")


def machine() -> str:
    with_what = ", ".join(f"{name} {version}" for name, version in versions().items())
    return f"{cpu_count()} cores ({platform.machine()}), {with_what}"


def draw_figures(console: Console, traces: Sequence[Trace], folder: Path) -> dict[str, str]:
    """Draw the figures with independent and common clicks on both scales; return files by title."""
    figures: dict[str, str] = {}
    for clicks, common in (("independent", False), ("common", True)):
        chosen = [trace for trace in traces if trace.experiment.endswith("-common") is common]
        if not chosen:
            continue
        panels = panels_in(chosen)
        name = "regret-common" if common else "regret"
        for y, ending in SCALES.items():
            figure = regrets(panels, y)
            for file in targets([folder / f"{name}{ending}"]):
                save_figure(figure, file)
                say(console, f"wrote {file}")
            figures[f"Regret against rounds, {clicks} clicks, {y} scale"] = f"{name}{ending}.png"
        write_atomically(folder / f"{name}.json", table_file(".json", panels))
    return figures
