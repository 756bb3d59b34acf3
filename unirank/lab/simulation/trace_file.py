"""Files of traces: a Parquet file with the recipe in its metadata and a checksum of all its bytes.

The checksum is part of the metadata, and is computed with zeros in place of its own digits. Files
of versions without checksums are read without a check.
"""

import json
import re
from hashlib import sha256
from io import BytesIO
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.files import read_whole, write_atomically
from unirank.policies.base.policy import memory_there

if TYPE_CHECKING:
    import polars as pl

MARK = b"unirank-sha256:"
BLANK = MARK + b"0" * 64
SEAL = re.compile(MARK + b".{64}", re.DOTALL)
COLUMNS = ("game", "round", "regret")


def write_trace(path: str | PathLike[str], frame: "pl.DataFrame", recipe: dict[str, Any]) -> None:
    """Write the rows and the recipe of a trace."""
    buffer = BytesIO()
    metadata = {"unirank": json.dumps(recipe), "checksum": BLANK.decode()}
    frame.write_parquet(buffer, metadata=metadata)
    content = buffer.getvalue()
    write_atomically(path, content.replace(BLANK, MARK + sha256(content).hexdigest().encode()))


def read_trace(path: str | PathLike[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the recipe and the columns, one row per game; raise if it is not what was written."""
    polars = optional("polars", "lab")
    try:
        content = read_whole(path, memory_there() // 2)
    except OSError as error:
        raise ArgumentError(f"cannot read a trace from {str(path)!r}: {error.strerror}") from None
    is_sealed = check_seal(path, content)
    wrong = (ValueError, KeyError, TypeError, OverflowError, polars.exceptions.PolarsError)
    try:
        metadata = polars.read_parquet_metadata(BytesIO(content))
        recipe = json.loads(metadata["unirank"])
        frame = polars.read_parquet(BytesIO(content))
        shape = (recipe.pop("n_games"), -1)
        columns = {name: frame[name].to_numpy().reshape(shape) for name in COLUMNS}
    except (*wrong, polars.exceptions.PanicException):
        raise unreadable(path, "it is not a trace") from None
    if not is_sealed and "checksum" in metadata:
        raise unreadable(path, "its checksum has changed since it was written")
    check_rows(path, **columns)
    return recipe, columns


def check_seal(path: str | PathLike[str], content: bytes) -> bool:
    """Return whether there is a checksum; raise ArgumentError if it is not that of the bytes."""
    found = SEAL.search(content)
    if found is None:
        return False
    digest = sha256(SEAL.sub(BLANK, content)).hexdigest()
    if found[0] != MARK + digest.encode():
        raise unreadable(path, "its bytes have changed since it was written")
    return True


def check_rows(path: str | PathLike[str], *, game: Any, round: Any, regret: Any) -> None:
    """Raise ArgumentError if rows are not those of different games at the same rounds."""
    if regret.size == 0:
        raise unreadable(path, "it has no rows")
    whole = game.dtype == round.dtype == np.int64 and regret.dtype == np.float64
    if not (
        whole
        and (game == game[:, :1]).all()
        and (round == round[:1]).all()
        and (np.diff(game[:, 0]) > 0).all()
        and (np.diff(round[0], prepend=0) > 0).all()
        and np.isfinite(regret).all()
    ):
        raise unreadable(path, "its rows are not those of games at increasing rounds")


DELETE = "delete it, and the same `unirank run` plays its games again"


def unreadable(path: str | PathLike[str], reason: str, remedy: str = DELETE) -> ArgumentError:
    return ArgumentError(f"cannot read a trace from {str(path)!r}: {reason}; {remedy}")
