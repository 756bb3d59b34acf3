"""Every policy beside every other on the same problems: who is how fast."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, Protocol

from unirank.click_models import ClickModel
from unirank.lab.speed import Speed, per_round
from unirank.lab.told import KNOWN, TOLD, told
from unirank.policies import registry
from unirank.simulation.specs import described

TWIN_ROUNDS = 500

Problem = tuple[ClickModel, int]  # users, n_positions
Named = tuple[str, dict[str, Any]]  # a policy and its options


class PlainPolicy(Protocol):
    """A literal twin: item indices in, truth values out."""

    def rank(self) -> list[int]: ...
    def update(self, ranking: list[int], clicks: list[bool]) -> None: ...


def needs_of(name: str, users: ClickModel, n_positions: int, n_rounds: int) -> dict[str, Any]:
    """Options that a policy needs, as this problem has them."""
    example = registry[name].example_options(tuple(range(users.n_items)), n_positions)
    wanted = {option: TOLD if option in KNOWN else value for option, value in example.items()}
    return told(wanted, users, n_positions, n_rounds)


def able(specs: Sequence[Named], users: ClickModel, n_positions: int, n_rounds: int) -> list[Named]:
    """Policies with whatever they need and were not given."""
    return [
        (name, {**needs_of(name, users, n_positions, n_rounds), **options})
        for name, options in specs
    ]


def timed(
    specs: Sequence[Named], problem: str, users: ClickModel, n_positions: int, n_rounds: int
) -> list[Speed]:
    """Time of an unskipped round of policies that were asked for with these options."""
    found = per_round(
        able(specs, users, n_positions, n_rounds), problem, users, n_positions, n_rounds
    )
    return [replace(row, policy=described(*spec)) for spec, row in zip(specs, found, strict=True)]


def compare(names: Sequence[str], problems: Mapping[str, Problem], n_rounds: int) -> list[Speed]:
    """Time of an unskipped round, told what each needs; labelled by the policies' bare names.

    Games of many items are shorter, in proportion: some policies take time that grows with them.
    """
    rows = []
    for problem, (users, n_positions) in problems.items():
        length = max(1, n_rounds * 10 // max(10, users.n_items * n_positions // 5))
        specs = able([(name, {}) for name in names], users, n_positions, length)
        found = per_round(specs, problem, users, n_positions, length, repeats=3)
        rows += [replace(row, policy=name) for name, row in zip(names, found, strict=True)]
    return rows


def twin_round(twin: PlainPolicy, users: ClickModel, n_rounds: int) -> float:
    """Seconds per round of a plain Python policy, clicks left out."""
    spent = 0.0
    for round_ in range(1, n_rounds + 1):
        start = perf_counter()
        ranking = twin.rank()
        spent += perf_counter() - start
        clicks = users.draw_clicks(ranking, seed=0, round=round_).tolist()
        start = perf_counter()
        twin.update(ranking, clicks)
        spent += perf_counter() - start
    return spent / n_rounds


def twin_times(
    names: Sequence[str], twins: Mapping[str, Any], problem: Problem, n_rounds: int
) -> dict[str, float]:
    """Nanoseconds per round of plain Python policies; `twins` builds them from sizes and options.

    They are told of the same game as the compiled ones, but play only its first rounds.
    """
    users, n_positions = problem
    return {
        name: 1e9
        * twin_round(
            twins[name](users.n_items, n_positions, needs_of(name, users, n_positions, n_rounds)),
            users,
            TWIN_ROUNDS,
        )
        for name in names
        if name in twins
    }
