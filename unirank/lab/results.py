"""A folder of results: one Parquet shard per block of games, and a manifest per machine.

    OUT/experiment/rounds-1000000-seed-0/policy/problem/games-00000-00004.parquet
    OUT/experiment/rounds-1000000-seed-0/manifest-1a2b3c4d.json

A shard is written whole or not at all, and says itself what it is. So a run that was killed goes
on by playing what is not there, and the shards of several machines become one run by lying in one
folder.
"""

import json
import platform
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from os import cpu_count
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from unirank.errors import ArgumentError
from unirank.files import writable_folder, write_atomically
from unirank.lab.blocks import Block, Curve, blocks_of
from unirank.simulation import Trace
from unirank.simulation.checkpoints import SPACINGS
from unirank.simulation.trace import versions

LONGEST_NAME = 100


def slug(text: str) -> str:
    """A name that any file system takes."""
    return re.sub(r"[^A-Za-z0-9.=_-]+", "-", text).strip("-") or "-"


def distinct_slug(text: str) -> str:
    """A slug for what users name in any script; with a digest where too little is left of it."""
    name = slug(text)
    if text.isascii() and len(name) <= LONGEST_NAME and name.strip(".-"):
        return name
    return f"{name[:LONGEST_NAME]}-{sha256(text.encode()).hexdigest()[:8]}"


def folder_of(out: Path, curve: Curve) -> Path:
    scale = f"rounds-{curve.n_rounds}-seed-{curve.seed}"
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
    """Games of a curve that are in the folder; an error if those there are of something else."""
    games: set[int] = set()
    for path in sorted(folder_of(out, curve).glob("games-*.parquet")):
        trace = Trace.load(path)
        check_same(path, trace, curve)
        if not np.array_equal(trace.rounds, SPACINGS[curve.checkpoints](curve.n_rounds)):
            raise foreign(path, "other checkpoints")
        games |= {int(game) for game in trace.games}
    return games


def check_same(path: Path, trace: Trace, curve: Curve) -> None:
    """Refuse to mix the games of two different experiments."""
    recipe = trace.recipe()
    for key, wanted in json.loads(msgspec.json.encode(curve)).items():
        if key in recipe and recipe[key] != wanted:
            raise foreign(path, f"{key}={recipe[key]!r:.60} where this run has {wanted!r:.60}")


def foreign(path: Path, what: str) -> ArgumentError:
    return ArgumentError(
        f"out must hold results of this experiment only: {str(path)!r} has {what}; "
        "choose another --out, or remove it"
    )


def missing_blocks(out: Path, curves: Sequence[Curve], n_games: int) -> list[Block]:
    """What is left to play, so that each curve has its first `n_games` games."""
    for folder in {folder_of(out, curve).parent.parent for curve in curves}:
        check_manifests(folder, curves[0].experiment_version)
    return [
        block
        for curve in curves
        for block in blocks_of(curve, set(range(n_games)) - finished_games(out, curve))
    ]


def check_manifests(folder: Path, version: int) -> None:
    """Refuse a folder that was begun with another version, be it of problems not in this one."""
    for path in sorted(folder.glob("manifest-*.json")):
        try:
            begun = json.loads(path.read_text())["curves"][0]["experiment_version"]
        except (OSError, ValueError, LookupError, TypeError):
            continue  # only shards count, and each says itself what it is
        if begun != version:
            raise foreign(path, f"experiment_version={begun!r:.60} where this run has {version!r}")


def merged(traces: Iterable[Trace]) -> list[Trace]:
    """One trace per curve: games of the same one put together, each once, in order."""
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
    """Every curve in these shards and folders of shards."""
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise ArgumentError(f"results must be traces or folders of them, got {str(path)!r}")
        files += sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    if not files:
        raise ArgumentError(f"results must hold traces (*.parquet), none in {str(paths[0])!r}")
    return merged(Trace.load(file) for file in files)


def write_manifest(out: Path, curves: Sequence[Curve], n_games: int) -> None:
    """Say what was asked for, with which software, on what machine; one per machine."""
    machine = {
        "system": platform.system(),
        "architecture": platform.machine(),
        "cores": cpu_count(),
    }
    name = f"manifest-{sha256(platform.node().encode()).hexdigest()[:8]}.json"
    folders: dict[Path, list[Curve]] = defaultdict(list)
    for curve in curves:
        folders[folder_of(out, curve).parent.parent].append(curve)
    for folder, mine in folders.items():
        content = {
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "n_games": n_games,
            "versions": versions(),
            "machine": machine,
            "curves": json.loads(msgspec.json.encode(mine)),
        }
        writable_folder("out", folder)
        write_atomically(folder / name, json.dumps(content, indent=1).encode())
