"""Shards, the Parquet files of results: with changed bytes, or rows and recipes changed.

A shard with changed bytes is refused or gives exactly the trace that was saved. One that another
program has written, without a checksum, is refused or has games with finite regret at rounds in
order.
"""

import json
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from tests.attack.mutation import VALUES, mutated, reshaped
from tests.attack.target import Outcome, Target, require
from unirank import CM, Trace, simulate
from unirank.lab.results import load_results


@cache
def trace() -> Trace:
    users = CM([0.5, 0.3, 0.1])
    return simulate("random", users, n_positions=2, n_rounds=2000, n_games=5)


@cache
def shard() -> bytes:
    with TemporaryDirectory() as folder:
        trace().save(Path(folder) / "shard.parquet")
        return (Path(folder) / "shard.parquet").read_bytes()


def changed_bytes(draw: Random, folder: Path) -> Outcome:
    path = folder / "games-00000-00004.parquet"
    path.write_bytes(mutated(shard(), draw))
    (found,) = load_results([path])
    require(np.array_equal(found.regret, trace().regret), "other numbers were loaded")
    require(np.array_equal(found.rounds, trace().rounds), "other rounds were loaded")
    require(found.recipe() == trace().recipe(), "another recipe was loaded")
    return Outcome.EQUAL


def rewritten(draw: Random, folder: Path) -> Outcome:
    """Another recipe or other rows, as before there were checksums."""
    path = folder / "shard.parquet"
    frame, recipe = trace().to_polars(), trace().recipe()
    if draw.random() < 0.7:
        recipe = reshaped(recipe, draw)
    if draw.random() < 0.5:
        frame = draw.choice(FRAMES)(frame, draw)
    frame.write_parquet(path, metadata={"unirank": json.dumps(recipe)})
    (found,) = load_results([path])
    require(np.isfinite(found.regret).all(), "regret is not finite")
    require((np.diff(found.rounds) > 0).all(), "rounds are not in order")
    require(len(set(found.games.tolist())) == len(found.regret), "a game is there twice")
    return Outcome.ACCEPTED


def another_cell(frame: pl.DataFrame, draw: Random) -> pl.DataFrame:
    name, row = draw.choice(frame.columns), draw.randrange(len(frame))
    values = frame[name].to_list()
    values[row] = draw.choice([value for value in VALUES if isinstance(value, int | float)])
    return frame.with_columns(pl.Series(name, values, strict=False))


FRAMES = (
    another_cell,
    lambda frame, draw: frame.drop(draw.choice(frame.columns)),
    lambda frame, draw: frame.head(draw.randrange(len(frame))),
    lambda frame, draw: pl.concat([frame, frame]),
    lambda frame, draw: frame.sample(fraction=1, shuffle=True, seed=1),
    lambda frame, draw: frame.cast({draw.choice(frame.columns): pl.String}),
    lambda frame, draw: frame.cast({draw.choice(frame.columns): pl.Int8}, strict=False),
    lambda frame, draw: frame.rename({draw.choice(frame.columns): "other"}),
)
TARGETS = [
    Target("shard-bytes", 5_000, 150, changed_bytes),
    Target("shard-rewritten", 1_500, 80, rewritten),
]
