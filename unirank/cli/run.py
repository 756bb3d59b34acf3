"""`unirank run`: play the games of an experiment and record regret."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from unirank.cli.arguments import Count, parse_policy
from unirank.cli.output import AsJson, say
from unirank.cli.tables import print_gain, print_regret, times_table
from unirank.errors import ArgumentError, MissingExtraError
from unirank.extras import optional
from unirank.files import writable_folder
from unirank.lab import Experiment, load_experiment
from unirank.lab.datasets.problems import is_fitted_file
from unirank.lab.engines import Engine, check_engine
from unirank.lab.experiment import PolicyEntry
from unirank.lab.fitted_experiment import fitted_experiment
from unirank.lab.runs import Run, planned, play_runs
from unirank.lab.simulation.games import check_scale
from unirank.lab.simulation.known_values import check_values
from unirank.lab.simulation.scheduler import cpu_count
from unirank.lab.summary import gain_rows, pooled, regret_rows
from unirank.lab.timing import HEADER, time_policies
from unirank.policies.base.specs import resolved
from unirank.users.objective import Objective


def run(
    *experiments: str,
    policy: Annotated[list[str] | None, Parameter(negative="")] = None,
    n_rounds: Count | None = None,
    n_games: Count | None = None,
    seed: int | None = None,
    objective: Objective | None = None,
    n_workers: int | None = None,
    engine: Engine = "local",
    scheduler: str = "",
    skip: bool = True,
    against: str = "",
    out: Path = Path("results"),
    tails: Annotated[bool, Parameter(negative="")] = False,
    json_: AsJson = False,
) -> None:
    """Play one or more experiments and save the regret of each policy.

    Games that are in the folder already are not played again: the same command goes on where a
    killed one stopped, and a larger --n-games plays the new games only.

    Parameters
    ----------
    experiments
        Names (see `unirank list experiments`), TOML files of your own, or fitted files (.json),
        of which all queries are played by UniRank, TopRank and at random.
    policy
        Run these policies instead of the experiment's: name, name(option=value), or
        module:Class for one of your own. May be repeated. The value "told" gives an option what
        the experiment knows: toprank(horizon=told).
    n_rounds
        Rounds per game, such as 1e6.
    n_games
        Number of games.
    seed
        Seed of all random numbers.
    objective
        What regret is measured in, instead of the experiment's: the number of clicks, the
        probability of any click, or the reciprocal rank of the first click. Same games.
    n_workers
        Games played at once; by default as many as there are cores.
    engine
        Threads of this process, or the workers of a Dask cluster. Same numbers.
    scheduler
        Address of a Dask scheduler; by default --engine dask starts workers on this machine.
    skip
        Skip over rounds in which nothing can change. Same numbers, faster.
    against
        An order of the experiment's items, such as 4,3,2,1,0 for items numbered from 0: also
        print the clicks gained against always showing it.
    out
        Folder for the results, a Parquet file per policy, problem and block of games.
    tails
        Show the median, the 95th percentile and the worst game beside the mean: a policy that
        stalls in one game of a hundred shows it in its worst game.
    json_
        Print the table as JSON, the tails included.
    """
    console = Console(stderr=json_)
    check_engine(engine, scheduler)
    chosen = [PolicyEntry(*parse_policy(text)) for text in policy or []]
    for entry in chosen:
        check_values(*resolved((entry.policy, entry.options)))
    order = parse_order(against)
    workers = cpu_count() if n_workers is None else n_workers
    asked = {"n_rounds": n_rounds, "n_games": n_games, "seed": seed}
    scale = {name: value for name, value in asked.items() if value is not None}
    check_scale(**scale, n_workers=workers)
    loaded = [read_experiment(name) for name in experiments or ("simul-pbm",)]
    check_names(experiments, loaded)
    folder = out if can_save(console) else None
    timed = [experiment for experiment in loaded if experiment.measure == "time"]
    runs = [
        planned(experiment, chosen, **scale, objective=objective, skip=skip, out=folder)
        for experiment in loaded
        if experiment not in timed
    ]
    if order:
        for one in runs:
            check_order(order, one.experiment)
    if folder is not None:
        writable_folder("out", folder)
    n_games_there = sum(one.n_games_there() for one in runs)
    if n_games_there:
        say(
            console,
            f"{n_games_there:,} games are in {out} already, by the names of policies and problems: "
            "they are not played again. After a change of your own code, choose another --out",
        )
    interrupted = False
    report: list[dict[str, object]] = []
    try:
        report += [times(console, one, scale.get("n_rounds", one.n_rounds)) for one in timed]
        play_runs(runs, engine=engine, n_workers=workers, scheduler=scheduler)
    except KeyboardInterrupt:
        interrupted = True
    report += [reported(console, one, order, tails=tails) for one in runs]
    if json_:
        Console().print_json(json.dumps(report))
    if interrupted:
        if folder is not None:
            say(console, "the same command goes on from here")
        raise KeyboardInterrupt


def read_experiment(name: str) -> Experiment:
    return fitted_experiment(name) if is_fitted_file(name) else load_experiment(name)


def check_names(given: Sequence[str], loaded: Sequence[Experiment]) -> None:
    """Raise ArgumentError for two experiments of one name, which would share their results."""
    names = [experiment.name for experiment in loaded]
    for name in names:
        if names.count(name) > 1:
            same = [text for text, other in zip(given, names, strict=True) if other == name]
            raise ArgumentError(
                f"experiments must have different names, got {' and '.join(map(repr, same))}; "
                "run them apart, with an --out of their own"
            )


def parse_order(text: str) -> list[int]:
    """Read 4,3,2,1,0."""
    if not text:
        return []
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() for word in words):
        raise ArgumentError(f"against must be items such as 4,3,2,1,0, got {text!r}")
    return [int(word) for word in words]


def check_order(order: Sequence[int], experiment: Experiment) -> None:
    """Raise ArgumentError unless the experiment has one problem and these are items of it."""
    problems = experiment.users_by_problem()
    if len(problems) > 1:
        raise ArgumentError(
            f"against needs an experiment of one problem, got {experiment.name!r} of "
            f"{len(problems)}"
        )
    if len(order) != experiment.n_positions:
        text = ",".join(map(str, order))
        raise ArgumentError(
            f"against must have n_positions={experiment.n_positions} items, got {text!r}"
        )
    experiment.users.value(order)  # for its error only, which names the unknown item


def reported(console: Console, one: Run, order: list[int], *, tails: bool) -> dict[str, object]:
    """Print the table of a run and where its results are."""
    traces = pooled(one.traces())
    gain = gain_rows(traces, order) if order else []
    if traces:
        title = f"{one.experiment.name}: {one.experiment.question}"
        print_regret(console, title, traces, tails=tails)
    if gain:
        print_gain(console, traces, order)
    where = sorted({str(folder) for folder in one.folders()}) if traces else []
    for place in where:
        say(console, f"results in {place}")
    return {
        "experiment": one.experiment.name,
        "objective": one.plans[0].objective,
        "regret": regret_rows(traces),
        **({"gain": gain} if order else {}),
        "results": where,
    }


def times(console: Console, experiment: Experiment, n_rounds: int) -> dict[str, object]:
    """Measure and print the time per round of an experiment that asks for it."""
    timing = time_policies(experiment, n_rounds)
    console.print(f"{experiment.name}: {experiment.question}", style="bold", highlight=False)
    console.print(times_table(timing))
    say(console, f"unskipped rounds: {timing.problem}")
    rows = [dict(zip(HEADER, row, strict=True)) for row in timing.rows()]
    return {"experiment": experiment.name, "times": rows}


def can_save(console: Console) -> bool:
    try:
        optional("polars", "lab")
    except MissingExtraError as error:
        say(console, f"results are not saved: {error}")
        return False
    return True
