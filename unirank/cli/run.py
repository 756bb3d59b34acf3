"""`unirank run`: play the games of an experiment and record regret."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

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
from unirank.simulation.games import PolicySpec, check_scale, resolved
from unirank.simulation.needs import check_needs


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
    chosen = [parse_policy(text) for text in policy or []]
    for spec in chosen:
        resolved(spec)
    asked = {"n_rounds": n_rounds, "n_games": n_games, "seed": seed, "n_workers": n_workers}
    scale = {name: value for name, value in asked.items() if value is not None}
    check_scale(**scale)
    for experiment in loaded:
        for spec in chosen or specs_of(experiment):
            check_needs(resolved(spec)[0], experiment.users, experiment.n_positions)
    folder = writable_folder("out", out) if can_save(console) else None
    report = []
    interrupted = False
    for experiment in loaded:
        traces: list[Trace] = []
        files: list[str] = []
        for spec in chosen or specs_of(experiment):
            try:
                trace = played(experiment, spec, skip=skip, **scale)
            except KeyboardInterrupt:
                interrupted = True
                break
            traces.append(trace)
            files += saved(trace, folder)
            interrupted = trace.interrupted
            if interrupted:
                break
        if traces:
            print_regret(console, f"{experiment.name}: {experiment.question}", traces)
        for file in files:
            console.print(f"wrote {file}", highlight=False, soft_wrap=True)
        rows = regret_rows(traces)
        report.append({"experiment": experiment.name, "regret": rows, "files": files})
        if interrupted:
            break
    if json_:
        Console().print_json(json.dumps(report))
    if interrupted:
        raise KeyboardInterrupt


def specs_of(experiment: Experiment) -> list[tuple[str, dict[str, Any]]]:
    """The experiment's own policies with their options."""
    return [(entry.policy, entry.options) for entry in experiment.policies]


def played(experiment: Experiment, spec: PolicySpec, *, skip: bool, **scale: int) -> Trace:
    """Simulate one policy at the experiment's scale, or at the one asked for."""
    settings = {name: getattr(experiment, name) for name in ("n_rounds", "n_games", "seed")}
    trace = simulate(
        spec,
        experiment.users,
        n_positions=experiment.n_positions,
        skip=skip,
        **{**settings, **scale},
    )
    return replace(trace, experiment=experiment.name, experiment_version=experiment.version)


def can_save(console: Console) -> bool:
    try:
        optional("polars", "lab")
    except MissingExtraError as error:
        console.print(f"traces are not saved: {error}", markup=False, soft_wrap=True)
        return False
    return True


def saved(trace: Trace, folder: Path | None) -> list[str]:
    """Write a trace at once, so that no later Ctrl-C can lose it; return where."""
    if folder is None:
        return []
    target = writable_folder("out", folder / trace.experiment)
    path = target / f"{re.sub(r'[^A-Za-z0-9.=-]+', '-', trace.label).strip('-')}.parquet"
    trace.save(path)
    return [str(path)]
