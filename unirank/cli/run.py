"""`unirank run`: play the games of an experiment and record regret."""

import json
import re
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from unirank.cli.arguments import Count, parse_policy
from unirank.cli.tables import print_regret
from unirank.errors import MissingExtraError
from unirank.extras import optional
from unirank.files import writable_folder
from unirank.lab import Experiment, load_experiment
from unirank.lab.summary import regret_rows
from unirank.simulation import Trace, simulate
from unirank.simulation.games import PolicySpec, resolved


def run(
    *experiments: str,
    policy: Annotated[list[str] | None, Parameter(negative="")] = None,
    n_rounds: Count | None = None,
    n_games: Count | None = None,
    seed: int | None = None,
    n_workers: int | None = None,
    skip: bool = True,
    out: Path = Path("results"),
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> None:
    """Play the games of one or more experiments; print and save the regret of each policy.

    Parameters
    ----------
    experiments
        Names (see `unirank list experiments`) or TOML files of your own.
    policy
        Run these policies instead of the experiment's: name, name(option=value), or
        module:Class for one of your own. May be repeated.
    n_rounds
        Rounds per game, such as 1e6.
    n_games
        Number of games.
    seed
        Seed of all random numbers.
    n_workers
        Games played at once; by default as many as there are cores.
    skip
        Skip over rounds in which nothing can change. Same numbers, faster.
    out
        Folder for the traces, one Parquet file per policy.
    json_
        Print the table as JSON.
    """
    console = Console(stderr=json_)
    loaded = [load_experiment(name) for name in experiments or ("simul-pbm",)]
    folder = writable_folder("out", out) if can_save(console) else None
    chosen = [parse_policy(text) for text in policy or []]
    for spec in chosen:
        resolved(spec)
    report = []
    for experiment in loaded:
        specs: list[PolicySpec] = chosen or [(e.policy, e.options) for e in experiment.policies]
        traces = []
        for spec in specs:
            trace = simulate(
                spec,
                experiment.users,
                n_positions=experiment.n_positions,
                n_rounds=experiment.n_rounds if n_rounds is None else n_rounds,
                n_games=experiment.n_games if n_games is None else n_games,
                seed=experiment.seed if seed is None else seed,
                n_workers=n_workers,
                skip=skip,
            )
            traces.append(trace)
            if trace.interrupted:
                break
        print_regret(console, f"{experiment.name}: {experiment.question}", traces)
        written = save(experiment, traces, folder, console)
        report.append(
            {"experiment": experiment.name, "regret": regret_rows(traces), "files": written}
        )
        if traces[-1].interrupted:
            console.print(f"interrupted: {traces[-1].n_games} finished games were kept")
            break
    if json_:
        Console().print_json(json.dumps(report))
    if traces[-1].interrupted:
        raise KeyboardInterrupt


def can_save(console: Console) -> bool:
    try:
        optional("polars", "lab")
    except MissingExtraError as error:
        console.print(f"traces are not saved: {error}", markup=False, soft_wrap=True)
        return False
    return True


def save(
    experiment: Experiment, traces: list[Trace], folder: Path | None, console: Console
) -> list[str]:
    """Write one file per trace and say where."""
    if folder is None:
        return []
    target = writable_folder("out", folder / experiment.name)
    paths = []
    for trace in traces:
        path = target / f"{re.sub(r'[^A-Za-z0-9.=-]+', '-', trace.label).strip('-')}.parquet"
        trace.save(path)
        console.print(f"wrote {path}", highlight=False, soft_wrap=True)
        paths.append(str(path))
    return paths
