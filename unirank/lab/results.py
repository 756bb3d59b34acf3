"""A folder of results: one Parquet file (shard) per block of games.

    OUT/experiment/rounds-1000000-seed-0/policy/problem/games-00000-00004.parquet

Regret in another objective than clicks is kept apart: rounds-1000000-seed-0-first-click.

A shard is written whole or not at all, and holds everything that made it. So a killed run goes on
by playing the games that are not there, and the shards of several machines make one run if they
are put into one folder.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from unirank.errors import ArgumentError
from unirank.files import writable_folder
from unirank.lab.blocks import Block, Curve, blocks_of
from unirank.lab.datasets.problems import is_fitted_file
from unirank.lab.simulation import Trace
from unirank.lab.simulation.checkpoints import SPACINGS
from unirank.users.objective import CLICKS

LONGEST_NAME = 100


def slug(text: str) -> str:
    """Return a name that any file system takes."""
    return re.sub(r"[^A-Za-z0-9.=_-]+", "-", text).strip("-") or "-"


def distinct_slug(text: str) -> str:
    """Return a slug of a name in any script; with a digest where the slug could be ambiguous."""
    name = slug(text)
    if text.isascii() and len(name) <= LONGEST_NAME and name.strip(".-"):
        return name
    return f"{name[:LONGEST_NAME]}-{sha256(text.encode()).hexdigest()[:8]}"


def folder_of(out: Path, curve: Curve) -> Path:
    scale = f"rounds-{curve.n_rounds}-seed-{curve.seed}"
    scale += "" if curve.objective == CLICKS else f"-{curve.objective}"
    experiment, problem = distinct_slug(curve.experiment), distinct_slug(curve.problem)
    return out / experiment / scale / slug(curve.label) / problem


def shard_of(out: Path, block: Block) -> Path:
    first, last = block.games[0], block.games[-1]
    return folder_of(out, block.curve) / f"games-{first:05d}-{last:05d}.parquet"


def save(out: Path, block: Block, trace: Trace) -> Path:
    """Write the shard of a block."""
    path = shard_of(out, block)
    writable_folder("out", path.parent)
    trace.save(path)
    return path


def finished_games(out: Path, curve: Curve) -> set[int]:
    """Return the games of a curve in the folder; raise ArgumentError if they are of another run."""
    games: set[int] = set()
    for path in sorted(folder_of(out, curve).glob("games-*.parquet")):
        trace = Trace.load(path)
        check_same(path, trace, curve)
        if not np.array_equal(trace.rounds, SPACINGS[curve.checkpoints](curve.n_rounds)):
            raise foreign(path, "other checkpoints")
        games |= {int(game) for game in trace.games}
    return games


def check_same(path: Path, trace: Trace, curve: Curve) -> None:
    """Raise ArgumentError if a trace and a curve differ in what makes their games."""
    check_classes(path, trace, curve)
    if trace.algorithm != curve.algorithm:
        raise foreign(
            path,
            f"games of algorithm {trace.algorithm} of {curve.policy} where this run has algorithm "
            f"{curve.algorithm}",
        )
    recipe = trace.recipe()
    for key, wanted in json.loads(msgspec.json.encode(curve)).items():
        if key in recipe and recipe[key] != wanted:
            raise foreign(path, f"{key}={recipe[key]!r:.60} where this run has {wanted!r:.60}")


def check_classes(path: Path, trace: Trace, curve: Curve) -> None:
    """Raise ArgumentError if two classes share a name.

    What an earlier version played of a user's own class is refused, too: it kept no module.
    """
    found_users, users = trace.click_model.get("click_model", ""), curve.click_model["click_model"]
    for kind, found, wanted in (
        (
            "policy",
            identity(trace.policy, trace.policy_class),
            identity(curve.policy, curve.policy_class),
        ),
        (
            "click model",
            identity(found_users, trace.click_model_class),
            identity(users, curve.click_model_class),
        ),
    ):
        if found != wanted:
            raise foreign(path, f"the {kind} {found!r:.60} where this run has {wanted!r:.60}")


def identity(name: str, path: str) -> str:
    """Return the name of a class of this library, or "module:Class" of another one."""
    return name if not path or path.startswith("unirank.") else path


def foreign(path: Path, what: str) -> ArgumentError:
    return ArgumentError(
        f"out must hold results of this experiment only: {str(path)!r} has {what}; "
        "choose another --out, or remove it"
    )


def missing_blocks(
    out: Path, curves: Sequence[Curve], n_games: int, source: str = ""
) -> list[Block]:
    """Return the blocks that are missing for each curve to have its first `n_games` games.

    `source` is the file of the experiment, if it has one.
    """
    for folder in {folder_of(out, curve).parent.parent for curve in curves}:
        check_version(folder, curves[0].experiment_version, source)
    return [
        block
        for curve in curves
        for block in blocks_of(curve, set(range(n_games)) - finished_games(out, curve))
    ]


def check_version(folder: Path, version: int, source: str = "") -> None:
    """Raise ArgumentError if the folder holds games of another version, of whatever problem."""
    for path in sorted(folder.glob("*/*/games-*.parquet")):
        begun = Trace.load(path).experiment_version
        if begun != version and is_fitted_file(source):  # its version is a digest
            raise foreign(path, f"games of another {source!r}: the fitted file has changed since")
        if begun != version:
            raise foreign(path, f"experiment_version={begun!r:.60} where this run has {version!r}")


def merged(traces: Iterable[Trace]) -> list[Trace]:
    """Return one trace per curve, with each of its games once, in order."""
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
    """Return every curve in these shards and folders of shards."""
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise ArgumentError(f"results must be traces or folders of them, got {str(path)!r}")
        files += sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    if not files:
        raise ArgumentError(f"results must hold traces (*.parquet), none in {str(paths[0])!r}")
    return merged(Trace.load(file) for file in files)
