"""Regret measured in games beside the regret that the theory allows."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np

from unirank.errors import ArgumentError, UnknownNameError
from unirank.files import read_whole
from unirank.lab.datasets import list_datasets, load_problems
from unirank.lab.experiment import MOST_BYTES, list_experiments, load_experiment
from unirank.lab.simulation import Trace
from unirank.lab.summary import regret_rows
from unirank.lab.theory import Bound, check_assumptions
from unirank.lab.theory.known_bounds import unirank_bounds
from unirank.users import ClickModel

LAST_DECADES = 3  # over which a slope is measured


class Problem(NamedTuple):
    """Users and a number of positions."""

    users: ClickModel
    n_positions: int


@dataclass(frozen=True)
class BoundedRegret:
    """Mean regret at one decade, and the bound there."""

    round: int
    mean: float
    standard_error: float | None
    bound: float


def problems_of(target: str, n_positions: int | None = None) -> dict[str, Problem]:
    """Return problems by name: of an experiment, a data set, or the JSON file of a click model."""
    if target.endswith(".json"):
        users = {Path(target).stem: read_click_model(target)}
    elif target.endswith(".toml") or target in list_experiments():
        experiment = load_experiment(target)
        n_positions = experiment.n_positions if n_positions is None else n_positions
        users = experiment.users_by_problem()
    elif target in list_datasets():
        users = load_problems(target)
    else:
        known = {*list_experiments(), *list_datasets()}
        raise UnknownNameError("experiment or data set", target, known)
    if n_positions is None:
        raise ArgumentError(f"n_positions must be given for {target!r}, which has none, got None")
    return {name: Problem(found, n_positions) for name, found in users.items()}


def read_click_model(path: str) -> ClickModel:
    """Read what `ClickModel.to_json` wrote."""
    try:
        return ClickModel.from_json(read_whole(path, MOST_BYTES).decode())
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text file"
        raise ArgumentError(f"cannot read the click model {path!r}: {reason}") from None


def bounds_of(problems: Sequence[Problem]) -> tuple[list[Bound], str]:
    """Return UniRank's bounds on these problems, or the reason why there are none.

    The bound of several problems is the mean of their bounds: it bounds the mean regret over the
    same number of games of each problem.
    """
    found = []
    for problem in problems:
        assumptions = check_assumptions(problem.users, problem.n_positions)
        found.append(unirank_bounds(problem.users, assumptions))
    n_without = sum(not bounds for bounds in found)
    if n_without or not found:
        return [], f"{n_without} of {len(found)} problems have no finite bound"
    labels = [bound.label for bound in found[0]]
    constants = [{bound.label: bound.constant for bound in bounds} for bounds in found]
    means = [
        # A corollary is not listed where it is the theorem's own number.
        float(np.mean([each.get(label, next(iter(each.values()))) for each in constants]))
        for label in labels
    ]
    return [Bound("unirank", *pair) for pair in zip(labels, means, strict=True)], ""


def problems_in(traces: Sequence[Trace]) -> list[Problem]:
    """Return the problems that the traces were played on, each once."""
    found = {
        (str(trace.click_model), trace.n_positions): Problem(
            ClickModel.from_dict(trace.click_model), trace.n_positions
        )
        for trace in traces
    }
    return list(found.values())


def beside_bound(trace: Trace, bound: Bound) -> list[BoundedRegret]:
    """Return mean regret and bound, decade by decade."""
    return [
        BoundedRegret(
            row["round"], row["mean"], row["standard_error"], bound.constant * log(row["round"])
        )
        for row in regret_rows([trace])
    ]


def late_slope(trace: Trace) -> float:
    """Regret per unit of ln t over the last three decades, by least squares."""
    last = trace.rounds >= max(trace.n_rounds / 10**LAST_DECADES, 1)
    if last.sum() < 2:
        raise ArgumentError(f"n_rounds must have checkpoints to measure, got {trace.n_rounds}")
    return float(np.polyfit(np.log(trace.rounds[last]), trace.mean[last], 1)[0])
