"""How fast a policy is, in units of one round of the `random` policy on the same problem.

A round of `random` draws a list and the clicks and adds up the regret: no policy can do less. The
policy and `random` are measured alternately in one run, and the fastest of several repeats counts,
so that a busy machine disturbs the ratio little.
"""

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from unirank.lab.bounds import Problem
from unirank.lab.simulation import simulate
from unirank.lab.simulation.game import Game
from unirank.lab.simulation.known_values import needed_options
from unirank.lab.simulation.plan import GamePlan
from unirank.policies import Policy, registry
from unirank.policies.base.kernels import never_hold
from unirank.policies.base.specs import PolicySpec, described, policy_class, resolved
from unirank.users import PBM, ClickModel

REPEATS = 5
UNIT = "random"
PLAIN_ROUNDS = 500

NamedPolicy = tuple[str, dict[str, Any]]  # a policy and its options


@dataclass(frozen=True)
class RoundTime:
    """Time per round of one policy on one problem, beside the unit's."""

    policy: str
    problem: str
    nanoseconds: float
    unit: float  # nanoseconds of a round of `random`

    @property
    def units(self) -> float:
        return self.nanoseconds / self.unit


def can_hold(cls: type[Policy]) -> bool:
    """Whether a policy ever skips rounds."""
    return cls.kernels.hold is not never_hold


def new_game(
    spec: PolicySpec, users: ClickModel, n_positions: int, n_rounds: int, *, skip: bool
) -> Game:
    cls, options = resolved(spec)
    plan = GamePlan(
        policy=cls,
        options=options,
        users=users,
        n_positions=n_positions,
        n_rounds=n_rounds,
        seed=0,
        checkpoints=np.array([n_rounds]),
        skip=skip,
    )
    return plan.new_game(0)


def seconds(
    spec: PolicySpec, users: ClickModel, n_positions: int, n_rounds: int, *, skip: bool
) -> float:
    """Time one game on one core, compilation left out."""
    game = new_game(spec, users, n_positions, n_rounds, skip=skip)
    game.advance(0)
    start = perf_counter()
    game.advance(n_rounds)
    return perf_counter() - start


def fastest(*timed: Callable[[], float], repeats: int = REPEATS) -> list[float]:
    """Return the shortest time of each, measured in turns."""
    rows = [[one() for one in timed] for _ in range(repeats)]
    return [min(column) for column in zip(*rows, strict=True)]


def per_round(
    policies: Sequence[PolicySpec],
    problem: str,
    users: ClickModel,
    n_positions: int,
    n_rounds: int,
    repeats: int = REPEATS,
) -> list[RoundTime]:
    """Time unskipped rounds of every policy and of the unit, in turns."""

    def timer(spec: PolicySpec) -> Callable[[], float]:
        return lambda: seconds(spec, users, n_positions, n_rounds, skip=False)

    unit, *times = fastest(timer(UNIT), *map(timer, policies), repeats=repeats)
    scale = 1e9 / n_rounds
    return [
        RoundTime(described(cls.name, options), problem, time * scale, unit * scale)
        for (cls, options), time in zip(map(resolved, policies), times, strict=True)
    ]


def able(
    specs: Sequence[NamedPolicy], users: ClickModel, n_positions: int, n_rounds: int
) -> list[NamedPolicy]:
    """Add the options that the policies need and were not given."""
    return [
        (name, {**needed_options(policy_class(name), users, n_positions, n_rounds), **options})
        for name, options in specs
    ]


def timed(
    specs: Sequence[NamedPolicy],
    name: str,
    problem: Problem,
    n_rounds: int,
    repeats: int = REPEATS,
) -> list[RoundTime]:
    """Time an unskipped round of each policy; rows are labelled by the options given here."""
    found = per_round(able(specs, *problem, n_rounds), name, *problem, n_rounds, repeats)
    return [replace(row, policy=described(*spec)) for spec, row in zip(specs, found, strict=True)]


def compare(
    names: Sequence[str], problems: Mapping[str, Problem], n_rounds: int
) -> list[RoundTime]:
    """Time an unskipped round of each policy on each problem, with the options that it needs.

    Games of many items are shorter, in proportion: some policies take time that grows with them.
    """
    rows = []
    specs: list[NamedPolicy] = [(name, {}) for name in names]
    for name, problem in problems.items():
        size = problem.users.n_items * problem.n_positions // 5
        rows += timed(specs, name, problem, max(1, n_rounds * 10 // max(10, size)), repeats=3)
    return rows


def plain_times(names: Sequence[str], problem: Problem, n_rounds: int) -> dict[str, float]:
    """Nanoseconds per round of the plain editions, of the policies that have one.

    A plain edition is told the horizon of the compiled game, but plays only its first rounds.
    """
    users, n_positions = problem
    plain = {name: f"plain-{name}" for name in names if f"plain-{name}" in registry.plain.names()}
    specs = able([(name, {}) for name in plain.values()], users, n_positions, n_rounds)
    return {
        name: 1e9 / PLAIN_ROUNDS * seconds(spec, users, n_positions, PLAIN_ROUNDS, skip=False)
        for name, spec in zip(plain, specs, strict=True)
    }


def mean_over(problem: str, rows: Sequence[RoundTime]) -> list[RoundTime]:
    """One row per policy: times averaged over problems."""
    found = []
    for policy in dict.fromkeys(row.policy for row in rows):
        mine = [row for row in rows if row.policy == policy]
        nanoseconds = float(np.mean([row.nanoseconds for row in mine]))
        found.append(
            RoundTime(policy, problem, nanoseconds, float(np.mean([r.unit for r in mine])))
        )
    return found


def growth_problem(n_items: int, n_positions: int) -> PBM:
    """Attractions and examinations evenly spread, for any size."""
    return PBM(np.linspace(0.3, 0.001, n_items), np.linspace(1.0, 0.5, n_positions))


def state_megabytes(policy: PolicySpec, n_items: int, n_positions: int, n_rounds: int) -> float:
    """Memory of a policy's whole state after a game of growing size."""
    users = growth_problem(n_items, n_positions)
    game = new_game(policy, users, n_positions, n_rounds, skip=True)
    game.advance(n_rounds)
    fields = game.policy.state._asdict().values()
    return sum(field.nbytes for field in fields if isinstance(field, np.ndarray)) / 1e6


def skipping(policy: PolicySpec, users: ClickModel, n_positions: int) -> Mapping[str, float]:
    """Cost of whole games with skipping: against `random`, and as games grow longer."""
    unit, short, long = fastest(
        lambda: seconds(UNIT, users, n_positions, 10**7, skip=True),
        lambda: seconds(policy, users, n_positions, 10**7, skip=True),
        lambda: seconds(policy, users, n_positions, 10**9, skip=True),
        repeats=3,
    )
    return {"10^7 rounds / random": short / unit, "10^9 rounds / 10^7 rounds": long / short}


def threads(policy: PolicySpec, users: ClickModel, n_positions: int, n_rounds: int) -> float:
    """Rounds per second of two threads over those of one, on 20 equal games."""

    def timer(n_workers: int) -> Callable[[], float]:
        def timed() -> float:
            start = perf_counter()
            simulate(
                policy,
                users,
                n_positions=n_positions,
                n_rounds=n_rounds,
                skip=False,
                n_workers=n_workers,
                progress=False,
            )
            return perf_counter() - start

        return timed

    one, two = fastest(timer(1), timer(2), repeats=3)
    return one / two


def object_path(
    policy: PolicySpec, users: ClickModel, n_positions: int, n_rounds: int = 20_000
) -> float:
    """Median seconds of rank() plus update() through the object."""
    cls, options = resolved(policy)
    served = cls(users.n_items, n_positions, **options)
    times = []
    for round_ in range(1, n_rounds + 1):
        start = perf_counter()
        shown = served.rank()
        ranked = perf_counter()
        clicks = users.draw_clicks([int(item) for item in shown.items], seed=0, round=round_)
        clicked = [item for item, c in zip(shown.items, clicks.tolist(), strict=True) if c]
        answered = perf_counter()
        served.update(shown, clicked)
        times.append(ranked - start + perf_counter() - answered)
    return median(times)


def first_ranking(cls: type[Policy], options: Mapping[str, Any]) -> float:
    """Seconds from `import unirank` to the first ranking, in a new process with a warm cache."""
    code = (
        "from time import perf_counter; start = perf_counter(); import unirank; "
        f"from {cls.__module__} import {cls.__qualname__}; "
        f"{cls.__qualname__}(10, 5, **{dict(options)!r}).rank(); print(perf_counter() - start)"
    )
    runs: list[Any] = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(3)
    ]
    return min(float(run.stdout) for run in runs)
