"""Runs of experiments: plan the games, play those that are missing, save them in a folder."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unirank.errors import ArgumentError
from unirank.lab.blocks import Block, Curve, blocks_of, curves_of
from unirank.lab.engines import play_blocks
from unirank.lab.experiment import Experiment, PolicyEntry
from unirank.lab.results import (
    folder_of,
    load_results,
    merged,
    missing_blocks,
    save,
)
from unirank.lab.simulation import Trace
from unirank.lab.simulation.games import MOST_GAMES
from unirank.progress import ProgressBar


@dataclass(frozen=True)
class Run:
    """One experiment with the policies and at the scale that were asked for."""

    experiment: Experiment
    curves: list[Curve]
    n_games: int
    out: Path | None  # None: results are kept in memory only

    def missing(self) -> list[Block]:
        if self.out is None:
            return [block for c in self.curves for block in blocks_of(c, range(self.n_games))]
        return missing_blocks(self.out, self.curves, self.n_games, self.experiment.source)

    def n_games_there(self) -> int:
        """Return how many games are in the folder already."""
        return len(self.curves) * self.n_games - sum(len(one.games) for one in self.missing())

    def folders(self) -> list[Path]:
        """Return the folders of the results: one per experiment, scale and objective."""
        if self.out is None:
            return []
        return sorted({folder_of(self.out, curve).parent.parent for curve in self.curves})

    def traces(self, kept: Sequence[Trace] = ()) -> list[Trace]:
        """Return the traces that are there, in the order of the experiment's policies."""
        found = merged(trace for trace in kept if trace.experiment == self.experiment.name)
        if self.out is not None:
            folders = [folder_of(self.out, curve) for curve in self.curves]
            there = [folder for folder in folders if any(folder.glob("games-*.parquet"))]
            found = load_results(there) if there else []
        asked = [first_games(trace, self.n_games) for trace in found]
        return [trace for trace in asked if trace.n_games]


def planned(
    experiment: Experiment,
    entries: Sequence[PolicyEntry] = (),
    *,
    n_rounds: int | None = None,
    n_games: int | None = None,
    seed: int | None = None,
    objective: str | None = None,
    out: Path | None,
) -> Run:
    """Plan an experiment at its own scale and in its own objective, or in those given."""
    curves = curves_of(
        experiment,
        entries or experiment.policies,
        n_rounds=experiment.n_rounds if n_rounds is None else n_rounds,
        seed=experiment.seed if seed is None else seed,
        objective=experiment.objective if objective is None else objective,
    )
    check_apart(curves)
    n_games = experiment.n_games if n_games is None else n_games
    if n_games * len(curves) > MOST_GAMES:
        raise ArgumentError(
            f"n_games must be at most {MOST_GAMES // len(curves):,} for the {len(curves):,} curves "
            f"of experiment {experiment.name!r}, got {n_games:,}"
        )
    return Run(experiment, curves, n_games, out)


def check_apart(curves: Sequence[Curve]) -> None:
    """Raise ArgumentError for two curves that would share a folder."""
    folders: dict[Path, Curve] = {}
    for curve in curves:
        other = folders.setdefault(folder_of(Path(), curve), curve)
        if other.problem != curve.problem:
            raise ArgumentError(
                f"problems of experiment {curve.experiment!r} must differ in letters or digits, "
                f"got {other.problem!r} and {curve.problem!r}"
            )
        if other is not curve:
            same_class = other.policy_class == curve.policy_class
            of_what = ["" if same_class else f" ({c.policy_class})" for c in (other, curve)]
            raise ArgumentError(
                f"policies of experiment {curve.experiment!r} must differ in their labels, got "
                f"{other.label!r}{of_what[0]} and {curve.label!r}{of_what[1]}; a TOML file can "
                "give each a label"
            )


def play_runs(
    runs: Sequence[Run], kept: list[Trace], *, shown: bool | None = None, **engine: Any
) -> None:
    """Play the missing games and save each block as it ends, or add it to `kept`."""
    blocks = [block for run in runs for block in run.missing()]
    out_of = {id(curve): run.out for run in runs for curve in run.curves}
    title = ", ".join(run.experiment.name for run in runs)
    n_games = sum(len(block.games) for block in blocks)

    def done(block: Block, trace: Trace) -> None:
        out = out_of[id(block.curve)]
        if out is not None:
            save(out, block, trace)
        else:
            kept.append(trace)

    n_rounds = sum(block.rounds for block in blocks)
    with ProgressBar(title, n_rounds, unit="rounds", shown=shown) as bar:
        play_blocks(blocks, done, lambda r, g: bar.show(r, note=f"{g}/{n_games} games"), **engine)


def first_games(trace: Trace, n_games: int) -> Trace:
    """Return the trace with its first `n_games` games only."""
    asked = trace.games < n_games
    return replace(trace, games=trace.games[asked], regret=trace.regret[asked])
