"""Run the paper's evaluation again: every panel whose data is here."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.lab.claims import PANELS, PBM_PANELS
from unirank.lab.experiment import load_experiment
from unirank.lab.runs import Run, planned, play_runs
from unirank.lab.simulation import Trace
from unirank.lab.timing import Timing, time_policies

QUICK_ROUNDS = 100_000
QUICK_GAMES = 10
TIMED_ROUNDS = 300_000
FEWEST_ROUNDS = 1000  # growth is compared over two decades


@dataclass(frozen=True)
class Reproduction:
    """The runs whose data is on this machine, and a line for each panel without its data."""

    runs: list[Run]
    left_out: list[str]


def check_enough(n_rounds: int | None, n_games: int | None) -> None:
    """Raise ArgumentError for a scale at which no claim could be tested."""
    if n_rounds is not None:
        arguments.integer("n_rounds", n_rounds, FEWEST_ROUNDS)
    if n_games is not None:
        arguments.integer("n_games", n_games, 2)


def panel_names(*, common: bool = True) -> list[str]:
    """Return the names of the paper's panels, then those of their twins with common clicks."""
    return [*PANELS, *(f"{name}-common" for name in PBM_PANELS if common)]


def prepared(
    names: Sequence[str], *, n_rounds: int | None, n_games: int | None, seed: int, out: Path
) -> Reproduction:
    """Plan every panel whose data is here."""
    found = Reproduction([], [])
    for name in names:
        experiment = load_experiment(name)
        try:
            run = planned(experiment, n_rounds=n_rounds, n_games=n_games, seed=seed, out=out)
        except ArgumentError as error:
            found.left_out.append(f"{name}: {error}")
        else:
            found.runs.append(run)
    return found


@dataclass(frozen=True)
class Effort:
    """How many missing games were played, and how long that took."""

    n_games: int  # played
    n_wanted: int
    seconds: float = 0.0
    processor_seconds: float = 0.0

    def __str__(self) -> str:
        if not self.n_games:
            return f"None of the {self.n_wanted:,} games was played by this command."
        return (
            f"This command played {self.n_games:,} of the {self.n_wanted:,} games in "
            f"{self.seconds / 60:,.1f} minutes; that was {self.processor_seconds / 60:,.1f} "
            "minutes of processor time."
        )


def play_missing(runs: Sequence[Run], *, play: bool = True, **engine: Any) -> Effort:
    """Play the games that are missing, unless `play` is False; return the effort."""
    n_wanted = sum(len(run.plans) * run.n_games for run in runs)
    if not play:
        return Effort(0, n_wanted)
    n_there = sum(run.n_games_there() for run in runs)
    began, used = perf_counter(), process_time()
    play_runs(runs, **engine)
    return Effort(n_wanted - n_there, n_wanted, perf_counter() - began, process_time() - used)


def unfinished(runs: Sequence[Run]) -> list[str]:
    """A line for each panel that has fewer games than were asked for."""
    lines = []
    for run in runs:
        played = dict.fromkeys((plan.label for plan in run.plans), 0)
        for trace in run.traces():
            played[trace.label] += trace.n_games
        wanted = run.n_games * len({plan.problem for plan in run.plans})
        labels: dict[int, list[str]] = {}
        for label, n_games in played.items():
            if n_games < wanted:
                labels.setdefault(n_games, []).append(label)
        if labels:
            parts = [
                f"{n_games} of {wanted} games of {', '.join(labels[n_games])}" for n_games in labels
            ]
            lines.append(f"{run.experiment.name}: played only {'; '.join(parts)}")
    return lines


def all_left_out(plan: Reproduction) -> list[str]:
    return [*plan.left_out, *unfinished(plan.runs)]


def scale_of(traces: Sequence[Trace]) -> str:
    rounds = sorted({trace.n_rounds for trace in traces})
    games = max(trace.n_games for trace in traces)
    return f"{' or '.join(f'{n:,}' for n in rounds)} rounds, up to {games} games per query"


def times() -> Timing:
    """Measure the time of a round on the paper's data, or on Simul where that data is missing."""
    try:
        return time_policies(load_experiment("time-per-round"), TIMED_ROUNDS)
    except ArgumentError:
        return time_policies(load_experiment("simul-cm"), TIMED_ROUNDS)
