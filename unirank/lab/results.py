"""A folder of results: one Parquet file (shard) per block of games.

    OUT/experiment/rounds-1000000-seed-0/policy/problem/games-00000-00004.parquet

Regret in another objective than clicks is kept apart: rounds-1000000-seed-0-first-click.

A shard is written whole or not at all, and holds the recipe of its games. So a killed run goes on
by playing the games that are not in the folder, and the shards of several machines make one run in
one folder.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from unirank.errors import ArgumentError
from unirank.files import writable_folder
from unirank.lab.blocks import Block, blocks_of
from unirank.lab.datasets.problems import is_fitted_file
from unirank.lab.simulation import Trace
from unirank.lab.simulation.plan import GamePlan
from unirank.users.objective import CLICKS

LONGEST_NAME = 100
SHARDS = "games-*.parquet"


def slug(text: str) -> str:
    """Return a name that any file system takes."""
    return re.sub(r"[^A-Za-z0-9.=_-]+", "-", text).strip("-") or "-"


def distinct_slug(text: str) -> str:
    """Return a slug of a name in any script; with a digest where the slug could be ambiguous."""
    name = slug(text)
    if text.isascii() and len(name) <= LONGEST_NAME and name.strip(".-"):
        return name
    return f"{name[:LONGEST_NAME]}-{sha256(text.encode()).hexdigest()[:8]}"


def folder_of(out: Path, plan: GamePlan) -> Path:
    scale = f"rounds-{plan.n_rounds}-seed-{plan.seed}"
    scale += "" if plan.objective == CLICKS else f"-{plan.objective}"
    experiment, problem = distinct_slug(plan.experiment), distinct_slug(plan.problem)
    return out / experiment / scale / slug(plan.label) / problem


def shard_of(out: Path, block: Block) -> Path:
    first, last = block.games[0], block.games[-1]
    return folder_of(out, block.plan) / f"games-{first:05d}-{last:05d}.parquet"


class Results:
    """A folder of results, each shard of which is read once."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self._traces: dict[Path, Trace] = {}

    def trace(self, path: Path) -> Trace:
        """Return the trace of a shard."""
        if path not in self._traces:
            self._traces[path] = Trace.load(path)
        return self._traces[path]

    def save(self, block: Block, trace: Trace) -> Path:
        """Write the shard of a block."""
        path = shard_of(self.out, block)
        writable_folder("out", path.parent)
        trace.save(path)
        self._traces.pop(path, None)
        return path

    def shards(self, plan: GamePlan) -> list[Path]:
        """Return the shards of a plan, in the order of their games."""
        return sorted(folder_of(self.out, plan).glob(SHARDS))

    def traces(self, plans: Sequence[GamePlan]) -> list[Trace]:
        """Return one trace for each plan that has games in the folder."""
        return merged(self.trace(path) for plan in plans for path in self.shards(plan))

    def missing_blocks(
        self, plans: Sequence[GamePlan], n_games: int, source: str = ""
    ) -> list[Block]:
        """Return the blocks that are missing for each plan to have its first `n_games` games.

        `source` is the file of the experiment, if it has one.
        """
        for folder in {folder_of(self.out, plan).parent.parent for plan in plans}:
            self.check_version(folder, plans[0].experiment_version, source)
        return [
            block
            for plan in plans
            for block in blocks_of(plan, set(range(n_games)) - self.finished_games(plan))
        ]

    def finished_games(self, plan: GamePlan) -> set[int]:
        """Return the games of a plan in the folder; raise ArgumentError for those of another."""
        games: set[int] = set()
        for path in self.shards(plan):
            trace = self.trace(path)
            check_same(path, trace, plan)
            games |= {int(game) for game in trace.games}
        return games

    def check_version(self, folder: Path, version: int, source: str = "") -> None:
        """Raise ArgumentError if the folder has games of another version, of whatever problem."""
        for path in sorted(folder.glob(f"*/*/{SHARDS}")):
            begun = self.trace(path).experiment_version
            if begun != version and is_fitted_file(source):  # its version is a digest
                changed = f"games of another {source!r}: the fitted file has changed since"
                raise foreign(path, changed)
            if begun != version:
                what = f"experiment_version={begun!r:.60} where this run has {version!r}"
                raise foreign(path, what)


def check_same(path: Path, trace: Trace, plan: GamePlan) -> None:
    """Raise ArgumentError if a trace is not one of the plan's games."""
    found, wanted = trace.recipe(), json.loads(json.dumps(plan.recipe()))
    check_classes(path, found, wanted)
    for key, value in wanted.items():
        if key not in ("policy_class", "click_model_class") and found[key] != value:
            raise foreign(path, f"{key}={found[key]!r:.60} where this run has {value!r:.60}")
    if not np.array_equal(trace.rounds, plan.checkpoints):
        raise foreign(path, "other checkpoints")


def check_classes(path: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise ArgumentError if two classes share a name.

    What an earlier version played of a user's own class is refused, too: it kept no module.
    """
    for kind in ("policy", "click_model"):
        there, here = identity(found, kind), identity(wanted, kind)
        if there != here:
            what = kind.replace("_", " ")
            raise foreign(path, f"the {what} {there!r:.60} where this run has {here!r:.60}")


def identity(recipe: Mapping[str, Any], kind: str) -> str:
    """Return the name of the policy or click model; "module:Class" if it is not of this library."""
    path: str = recipe.get(f"{kind}_class", "")
    if path and not path.startswith("unirank."):
        return path
    return str(recipe["policy"] if kind == "policy" else recipe[kind].get(kind, ""))


def foreign(path: Path, what: str) -> ArgumentError:
    return ArgumentError(
        f"out must hold results of this experiment only: {str(path)!r} has {what}; "
        "choose another --out, or remove it"
    )


def merged(traces: Iterable[Trace]) -> list[Trace]:
    """Return one trace for each recipe, with each of its games once, in order."""
    groups: dict[Any, list[Trace]] = defaultdict(list)
    for trace in traces:
        recipe = trace.recipe()
        same = {k: v for k, v in recipe.items() if k not in ("n_games", "versions", "interrupted")}
        groups[json.dumps([same, trace.rounds.tolist()], sort_keys=True)].append(trace)
    return [joined(group) for group in groups.values()]


def joined(traces: Sequence[Trace]) -> Trace:
    games, where = np.unique(np.concatenate([trace.games for trace in traces]), return_index=True)
    regret = np.concatenate([trace.regret for trace in traces])[where]
    return replace(traces[0], games=games, regret=regret)


def load_results(paths: Sequence[Path]) -> list[Trace]:
    """Return the traces in these shards and folders of shards, one of each recipe."""
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise ArgumentError(f"results must be traces or folders of them, got {str(path)!r}")
        files += sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    if not files:
        raise ArgumentError(f"results must hold traces (*.parquet), none in {str(paths[0])!r}")
    return merged(Trace.load(file) for file in files)
