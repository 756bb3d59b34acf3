"""A file of a trace is read as it was written, or refused in one sentence."""

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from unirank import CM, ArgumentError, Trace, simulate

TRACE = simulate("random", CM([0.5, 0.3, 0.1]), n_positions=2, n_rounds=50, n_games=3)


def rewritten(path: Path, frame: pl.DataFrame, **changes: Any) -> Path:
    """Write a trace as it was written before there were checksums."""
    recipe = TRACE.recipe() | changes
    kept = {key: value for key, value in recipe.items() if value is not None}
    frame.write_parquet(path, metadata={"unirank": json.dumps(kept)})
    return path


def flips(content: bytes, places: Iterable[int]) -> Iterable[bytes]:
    for place in places:
        yield content[:place] + bytes([content[place] ^ 1 << place % 8]) + content[place + 1 :]


def test_a_single_changed_bit_is_noticed_wherever_it_is(tmp_path: Path) -> None:
    path = tmp_path / "games-00000-00002.parquet"
    TRACE.save(path)
    content = path.read_bytes()
    loaded = []
    for changed in flips(content, range(0, len(content), 3)):
        path.write_bytes(changed)
        with suppress(ArgumentError):
            loaded.append(Trace.load(path))
    assert len(loaded) <= 2  # the key of the checksum itself has changed: there is none
    for trace in loaded:
        assert np.array_equal(trace.regret, TRACE.regret)
        assert trace.recipe() == TRACE.recipe()


def test_a_checksum_that_was_lost_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    TRACE.save(path)
    path.write_bytes(path.read_bytes().replace(b"unirank-sha256:", b"unirank-sha257:"))
    with pytest.raises(ArgumentError, match=r"its checksum has changed since it was written; del"):
        Trace.load(path)


@pytest.mark.parametrize("name", ["/dev/zero", "pipe"])
def test_a_file_without_an_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with pytest.raises(ArgumentError, match=f"cannot read a trace from '{name}': Not a regular"):
        Trace.load(name)


def test_a_changed_file_can_be_played_again(tmp_path: Path) -> None:
    path = tmp_path / "games-00000-00002.parquet"
    TRACE.save(path)
    (changed,) = flips(path.read_bytes(), [100])
    path.write_bytes(changed)
    message = (
        r"games-00000-00002.parquet': its bytes have changed since it was written; "
        r"delete it, and the same `unirank run` plays its games again$"
    )
    with pytest.raises(ArgumentError, match=message):
        Trace.load(path)


def test_traces_without_a_checksum_are_read(tmp_path: Path) -> None:
    loaded = Trace.load(rewritten(tmp_path / "old.parquet", TRACE.to_polars()))
    assert np.array_equal(loaded.regret, TRACE.regret)
    assert loaded.recipe() == TRACE.recipe()


ROWS = TRACE.to_polars()
WRONG: list[tuple[pl.DataFrame, dict[str, Any], str]] = [
    (ROWS, {"colour": "red"}, "its 'colour' is of a newer version of unirank"),
    (ROWS, {"seed": "seven"}, "its recipe is not that of a trace"),
    (ROWS, {"policy": None}, "its recipe is not that of a trace"),
    (ROWS, {"n_games": 7}, "it is not a trace"),
    (ROWS, {"n_games": None}, "it is not a trace"),
    (ROWS.drop("regret"), {}, "it is not a trace"),
    (ROWS.clear(), {}, "it has no rows"),
    (ROWS.with_columns(pl.col("game") * 0), {}, "its rows are not those of games"),
    (ROWS.with_columns(pl.col("regret") / 0), {}, "its rows are not those of games"),
]


@pytest.mark.parametrize(("frame", "changes", "reason"), WRONG)
def test_what_is_wrong_is_one_sentence(
    tmp_path: Path, frame: pl.DataFrame, changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ArgumentError) as raised:
        Trace.load(rewritten(tmp_path / "x.parquet", frame, **changes))
    assert f"x.parquet': {reason}" in str(raised.value)


def test_a_parquet_file_of_something_else(tmp_path: Path) -> None:
    buffer = BytesIO()
    pl.DataFrame({"a": [1]}).write_parquet(buffer)
    (tmp_path / "x.parquet").write_bytes(buffer.getvalue())
    with pytest.raises(ArgumentError, match=r"it is not a trace; delete it"):
        Trace.load(tmp_path / "x.parquet")
