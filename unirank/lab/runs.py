"""Runs of experiments: plan the games, play those that are missing, save them in a folder."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from unirank.errors import ArgumentError
from unirank.lab.blocks import Block, blocks_of, plans_of
from unirank.lab.engines import play_blocks
from unirank.lab.experiment import Experiment, PolicyEntry
from unirank.lab.results import Results, folder_of, merged
from unirank.lab.simulation import Trace
from unirank.lab.simulation.games import MOST_GAMES
from unirank.lab.simulation.plan import GamePlan
from unirank.policies.base.specs import class_path
from unirank.progress import ProgressBar


@dataclass(frozen=True)
class Run:
    """One experiment with the policies and at the scale that were asked for."""

    experiment: Experiment
    plans: list[GamePlan]
    n_games: int
    results: Results | None  # None: nothing is saved
    kept: list[Trace] = field(default_factory=list)  # of the blocks played, if nothing is saved

    def missing(self) -> list[Block]:
        if self.results is None:
            return [block for plan in self.plans for block in blocks_of(plan, range(self.n_games))]
        return self.results.missing_blocks(self.plans, self.n_games, self.experiment.source)

    def n_games_there(self) -> int:
        """Return how many games are in the folder already."""
        return len(self.plans) * self.n_games - sum(len(one.games) for one in self.missing())

    def folders(self) -> list[Path]:
        """Return the folders of the results: one per experiment, scale and objective."""
        if self.results is None:
            return []
        return sorted({folder_of(self.results.out, plan).parent.parent for plan in self.plans})

    def add(self, block: Block, trace: Trace) -> None:
        """Save the trace of a block that has been played, or keep it."""
        if self.results is None:
            self.kept.append(trace)
        else:
            self.results.save(block, trace)

    def traces(self) -> list[Trace]:
        """Return the traces that are there, in the order of the experiment's policies."""
        found = merged(self.kept) if self.results is None else self.results.traces(self.plans)
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
    skip: bool = True,
    out: Path | None,
) -> Run:
    """Plan an experiment at its own scale and in its own objective, or in those given."""
    plans = plans_of(
        experiment,
        entries or experiment.policies,
        n_rounds=experiment.n_rounds if n_rounds is None else n_rounds,
        seed=experiment.seed if seed is None else seed,
        objective=experiment.objective if objective is None else objective,
        skip=skip,
    )
    check_apart(plans)
    n_games = experiment.n_games if n_games is None else n_games
    if n_games * len(plans) > MOST_GAMES:
        raise ArgumentError(
            f"n_games must be at most {MOST_GAMES // len(plans):,} for experiment "
            f"{experiment.name!r}, which has {len(plans):,} pairs of policy and problem, got "
            f"{n_games:,}"
        )
    return Run(experiment, plans, n_games, None if out is None else Results(out))


def check_apart(plans: Sequence[GamePlan]) -> None:
    """Raise ArgumentError for two plans that would share a folder."""
    folders: dict[Path, GamePlan] = {}
    for plan in plans:
        other = folders.setdefault(folder_of(Path(), plan), plan)
        if other.problem != plan.problem:
            raise ArgumentError(
                f"problems of experiment {plan.experiment!r} must differ in letters or digits, "
                f"got {other.problem!r} and {plan.problem!r}"
            )
        if other is not plan:
            same_class = other.policy is plan.policy
            of_what = ["" if same_class else f" ({class_path(p.policy)})" for p in (other, plan)]
            raise ArgumentError(
                f"policies of experiment {plan.experiment!r} must differ in their labels, got "
                f"{other.label!r}{of_what[0]} and {plan.label!r}{of_what[1]}; a TOML file can "
                "give each a label"
            )


def play_runs(runs: Sequence[Run], *, shown: bool | None = None, **engine: Any) -> None:
    """Play the missing games; add each block to its run as it ends."""
    run_of = {id(plan): run for run in runs for plan in run.plans}
    blocks = [block for run in runs for block in run.missing()]
    title = ", ".join(run.experiment.name for run in runs)
    n_games = sum(len(block.games) for block in blocks)

    def done(block: Block, trace: Trace) -> None:
        run_of[id(block.plan)].add(block, trace)

    n_rounds = sum(block.rounds for block in blocks)
    with ProgressBar(title, n_rounds, unit="rounds", shown=shown) as bar:
        play_blocks(blocks, done, lambda r, g: bar.show(r, note=f"{g}/{n_games} games"), **engine)


def first_games(trace: Trace, n_games: int) -> Trace:
    """Return the trace with its first `n_games` games only."""
    asked = trace.games < n_games
    return replace(trace, games=trace.games[asked], regret=trace.regret[asked])
