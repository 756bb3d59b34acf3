"""`unirank bench`: how fast, in units of a round of `random`, all in one run."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

from cyclopts import Parameter
from rich.box import HEAVY_HEAD
from rich.console import Console
from rich.table import Table

from unirank.cli.arguments import Count, parse_policy
from unirank.cli.output import AsJson, say, table
from unirank.errors import ArgumentError
from unirank.lab import load_experiment, speed
from unirank.lab.bounds import Problem
from unirank.lab.datasets import load_problems
from unirank.lab.simulation.games import check_scale
from unirank.lab.speed import NamedPolicy, RoundTime, able, compare, plain_times, timed
from unirank.policies import registry
from unirank.policies.base.specs import described, resolved

YANDEX: dict[str, Any] = {"n_queries": 10, "n_items": 10, "n_positions": 5}  # as in the paper
SIZES = ((10, 5), (100, 10), (1000, 10))


def bench(
    *policies: str,
    all_: Annotated[bool, Parameter(name="--all", negative="")] = False,
    n_rounds: Count = 10**6,
    json_: AsJson = False,
) -> None:
    """Measure the speed of policies in unskipped rounds of `random`.

    The ten Yandex problems take part where `unirank data` finds yandex-pbm.

    Parameters
    ----------
    policies
        Policies to measure; default: unirank.
    all_
        Compare all registered policies by the time of a round, beside their plain Python
        editions, and measure nothing else.
    n_rounds
        Rounds per measured game.
    json_
        Print JSON.
    """
    console = Console(stderr=json_)
    check_scale(n_rounds=n_rounds)
    if all_:
        found = problems(console)
        plain = plain_times(registry.names(), found["simul-pbm"], n_rounds)
        print_comparison(compare(registry.names(), found, n_rounds), plain, json_)
        return
    specs = [parse_policy(text) for text in policies or ("unirank",)]
    simul = load_experiment("simul-pbm").users
    first, *others = able(specs, simul, 5, n_rounds)
    cls, options = resolved(first)
    for spec in others:
        resolved(spec)  # raises the errors of its options before anything is measured
    rows = timed(specs, "simul-pbm", Problem(simul, 5), n_rounds)
    rows += timed(specs, "simul-cm", Problem(load_experiment("simul-cm").users, 5), n_rounds)
    rows += yandex(specs, n_rounds, console)
    sizes = []
    for n_items, n_positions in SIZES:
        problem = Problem(speed.growth_problem(n_items, n_positions), n_positions)
        sizes += timed(specs, f"{n_items} items", problem, min(n_rounds, 10**5))
    largest = able(specs[:1], speed.growth_problem(1000, 10), 10, 10**5)[0]
    single = {
        **(speed.skipping(first, simul, 5) if speed.can_hold(cls) else {}),
        "rounds/s of 2 threads / 1 thread": speed.threads(first, simul, 5, n_rounds),
        "rank() + update(), microseconds": speed.object_path(first, simul, 5) * 1e6,
        "state at 1000 items, megabytes": speed.state_megabytes(largest, 1000, 10, 10**5),
        "import to first ranking, seconds": speed.first_ranking(cls, options),
    }
    plain = plain_times([cls.name], Problem(simul, 5), n_rounds)
    if plain:
        single["plain Python / compiled, per round"] = plain[cls.name] / rows[0].nanoseconds
    if json_:
        report = {"rounds": [asdict(r) for r in rows], "sizes": [asdict(r) for r in sizes]}
        Console().print_json(json.dumps({**report, "ratios": single}))
        return
    console.print(times_table(f"One round, unskipped ({n_rounds:,} rounds)", rows))
    console.print(times_table("Growth, unskipped (100,000 rounds at most)", sizes))
    values = [[name, f"{value:,.3g}"] for name, value in single.items()]
    title = f"{described(*specs[0])} on simul-pbm"
    console.print(table(["measured", "value"], values, title=title, box=HEAVY_HEAD))


def problems(console: Console) -> dict[str, Problem]:
    """Return the problems on which all policies are compared."""
    found = {"simul-pbm": Problem(load_experiment("simul-pbm").users, 5)}
    try:
        users = next(iter(load_problems("yandex-pbm", **YANDEX).values()))
        found["yandex-pbm"] = Problem(users, 5)
    except ArgumentError as error:
        say(console, f"Yandex problem left out: {error}")
    return found | {"100 items": Problem(speed.growth_problem(100, 10), 10)}


def print_comparison(rows: list[RoundTime], plain: dict[str, float], json_: bool) -> None:
    """One row per policy, one column per problem, in units; nanoseconds of the first."""
    if json_:
        report = {"rounds": [asdict(row) for row in rows], "plain": plain}
        Console().print_json(json.dumps(report))
        return
    names = list(dict.fromkeys(row.problem for row in rows))
    cells = {(row.policy, row.problem): row for row in rows}
    policies = sorted({row.policy for row in rows}, key=lambda p: cells[p, names[0]].units)
    lines = [
        [
            policy,
            *(f"{cells[policy, name].units:.1f}" for name in names),
            f"{cells[policy, names[0]].nanoseconds:,.0f}",
            f"{plain[policy]:,.0f}" if policy in plain else "",
        ]
        for policy in policies
    ]
    title = "One round, unskipped, in rounds of random; then nanoseconds"
    header = ["policy", *names, f"{names[0]}, ns", "plain Python, ns"]
    Console().print(table(header, lines, title=title, box=HEAVY_HEAD))


def yandex(specs: Sequence[NamedPolicy], n_rounds: int, console: Console) -> list[RoundTime]:
    """Return the mean times over ten real problems, where exploration hardly ever ends."""
    try:
        problems = load_problems("yandex-pbm", **YANDEX)
    except ArgumentError as error:
        say(console, f"Yandex problems left out: {error}")
        return []
    rows: list[Any] = []
    for query, users in problems.items():
        rows += timed(specs, query, Problem(users, 5), n_rounds)
    return speed.mean_over("yandex-pbm, mean of 10", rows)


def times_table(title: str, rows: list[RoundTime]) -> Table:
    header = ["problem", "policy", "units", "ns", "random, ns"]
    lines = [
        [r.problem, r.policy, f"{r.units:.2f}", f"{r.nanoseconds:.0f}", f"{r.unit:.0f}"]
        for r in rows
    ]
    return table(header, lines, numbers_from=2, title=title, box=HEAVY_HEAD)
