"""Policies on disk: versioned, checked, written atomically, and never executed.

    "unirank state 2\\n"   format and its version
    32 bytes              SHA-256 of what follows
    msgpack               class, settings, unanswered rounds, and the statistics as raw arrays

Only what a policy's `statistics` name is stored. What follows from it (the leader, summaries,
scratch) is derived anew on loading, so that a forged file has no index into memory to forge.
"""

import hashlib
import re
from errno import EFBIG
from os import PathLike
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError, StateFileError
from unirank.files import read_whole, written_atomically

FORMAT = b"unirank state "
VERSION = 2
LARGEST = 2**30  # bytes that a file, or the policy in it, may have unless more are allowed


class SavedArray(msgspec.Struct):
    dtype: str
    shape: list[int]
    data: bytes


class SavedRound(msgspec.Struct):
    """An unanswered round as version 1 wrote it."""

    round: int
    ranking: bytes
    memory: bytes


class SavedRounds(msgspec.Struct):
    """The unanswered rounds, a column each; `memory` numbers the `memories`."""

    round: SavedArray
    time: SavedArray
    memory: SavedArray
    ranking: SavedArray
    memories: list[bytes]


class SavedPoint(msgspec.Struct, omit_defaults=True):
    """What a policy knew at some time: of each learner how much, and the statistics."""

    known: list[tuple[int, int]]
    statistics: dict[str, SavedArray] = {}
    plain: dict[str, Any] = {}


class SavedPolicy(msgspec.Struct, omit_defaults=True):
    policy: str
    items: list[int | str]
    n_positions: int
    seed: int
    max_pending: int
    options: dict[str, Any]
    round: int
    let_go: int
    pending: list[SavedRound] = []  # version 1; now `unanswered`
    unanswered: SavedRounds | None = None
    clicked: list[tuple[int, list[int]]] = []  # clicks noted so far: round, item numbers
    statistics: dict[str, SavedArray] = {}
    position_order: list[int] = []  # empty: the first place is the most examined one
    plain: dict[str, Any] = {}  # what a PlainPolicy keeps, by attribute
    module: str = ""  # of a class of the user's own
    removed: list[int] = []  # numbers of items
    identity: int | None = None
    epochs: list[tuple[int, int]] = []  # each with its first round
    answered_elsewhere: list[tuple[int, int, bytes]] = []  # epoch, first round, bits
    seed_was_drawn: bool = False  # then each copy draws another
    half_life: float | None = None
    known: list[tuple[int, int]] = []  # learners, and how much of each is in the statistics
    common: SavedPoint | None = None  # what other copies share
    algorithm: int = 1  # number of the policy's algorithm; files from before there were any have 1


def write_state_file(saved: SavedPolicy, path: str | PathLike[str]) -> None:
    write_payload(msgspec.msgpack.encode(saved), path)


def write_payload(payload: bytes, path: str | PathLike[str]) -> None:
    header = FORMAT + str(VERSION).encode() + b"\n"
    with written_atomically(path) as temporary, open(temporary, "wb") as file:
        file.write(header + hashlib.sha256(payload).digest())
        file.write(payload)


def read_state_file(path: str | PathLike[str], largest: int = LARGEST) -> SavedPolicy:
    """Read and verify a state file; every way it can be wrong is one clear sentence."""
    try:
        content = read_whole(path, largest)
    except OSError as error:
        if error.errno != EFBIG:
            raise StateFileError(f"cannot read {str(path)!r}: {error.strerror}") from None
        raise StateFileError(
            f"{str(path)!r} is larger than {largest} bytes: pass a larger largest= if you trust it"
        ) from None
    end = content.find(b"\n", 0, 64)
    header, newline, rest = content[: max(end, 0)], end >= 0, memoryview(content)[end + 1 :]
    version = header.removeprefix(FORMAT)
    if not header.startswith(FORMAT) or not newline or not re.fullmatch(rb"[1-9]\d{0,30}", version):
        raise StateFileError(f"{str(path)!r} is not a unirank state file")
    if int(version) > VERSION:
        raise StateFileError(
            f"{str(path)!r} has format {int(version)}, made by a newer unirank; "
            f"this one reads up to {VERSION}"
        )
    digest, payload = rest[:32], rest[32:]
    if hashlib.sha256(payload).digest() != digest:
        raise StateFileError(f"{str(path)!r} is corrupt or truncated: its checksum does not match")
    try:
        return msgspec.msgpack.decode(payload, type=SavedPolicy)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise StateFileError(f"{str(path)!r} is not a valid state: {error}") from None


def to_saved_array(array: NDArray[Any], *, copy: bool = True) -> SavedArray:
    """The array as plain data; without a copy it is a view, to be encoded before anything moves."""
    data: Any = array.tobytes() if copy else np.ascontiguousarray(array).reshape(-1).view("u1").data
    return SavedArray(array.dtype.str, list(array.shape), data)


def from_saved_array(name: str, saved: SavedArray, dtype: np.dtype[Any]) -> NDArray[Any]:
    if saved.dtype != dtype.str:
        raise ArgumentError(f"{name} must be {dtype.str}, got {saved.dtype}")
    try:
        return np.frombuffer(saved.data, dtype).reshape(saved.shape)
    except ValueError as error:
        raise ArgumentError(f"{name} does not fill its shape: {error}") from None
