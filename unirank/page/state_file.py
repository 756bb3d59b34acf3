"""Policies on disk: versioned, checked, written atomically, and never executed.

    "unirank state 2\\n"   format and its version
    32 bytes              SHA-256 of what follows
    msgpack               class, settings, unanswered rounds, and the statistics as raw arrays

Of what a policy learnt, only what its `statistics` name is stored (`policies/base/snapshot.py`).
"""

import hashlib
import re
from errno import EFBIG
from os import PathLike

import msgspec

from unirank.errors import StateFileError
from unirank.files import read_whole, written_atomically
from unirank.policies.base.snapshot import PolicySnapshot, SavedArray, SavedStatistics

FORMAT = b"unirank state "
VERSION = 2
LARGEST = 2**30  # bytes that a file, or the policy in it, may have unless more are allowed


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


class SavedPoint(SavedStatistics, omit_defaults=True, kw_only=True):
    """What a policy knew at some time: of each learner how much, and the statistics."""

    known: list[tuple[int, int]]


class SavedPolicy(PolicySnapshot, omit_defaults=True, kw_only=True):
    """A policy with its rounds."""

    max_pending: int
    round: int
    let_go: int
    # As version 1 wrote them; now `unanswered`.
    pending: list[SavedRound] = msgspec.field(default_factory=list)
    unanswered: SavedRounds | None = None
    # Clicks noted so far: round, item numbers.
    clicked: list[tuple[int, list[int]]] = msgspec.field(default_factory=list)
    identity: int | None = None
    # Each with its first round.
    epochs: list[tuple[int, int]] = msgspec.field(default_factory=list)
    # Epoch, first round, bits.
    answered_elsewhere: list[tuple[int, int, bytes]] = msgspec.field(default_factory=list)
    # Learners, and how much of each is in the statistics.
    known: list[tuple[int, int]] = msgspec.field(default_factory=list)
    common: SavedPoint | None = None  # what other copies share


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
