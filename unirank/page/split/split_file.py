"""An A/B test on disk: versioned, checked, written atomically, and never executed.

"unirank split 1\\n"   format and its version
32 bytes              SHA-256 of what follows
msgpack               settings, counts, history, and the policies as in their own files
"""

import hashlib
from os import PathLike

import msgspec

from unirank.errors import StateFileError
from unirank.files import read_whole, write_atomically
from unirank.page.state_file import LARGEST, SavedPolicy
from unirank.policies.base.snapshot import SavedArray

HEADER = b"unirank split 1\n"
ANY = b"unirank split "


class SavedMoment(msgspec.Struct, array_like=True):
    """The arms at one moment: lists, views, clicks, variance, clicked buckets, sessions of each."""

    arms: list[tuple[int, int, float, float, int, int]]


class SavedSplit(msgspec.Struct):
    names: list[str]
    shares: list[float]
    key: bytes
    expected_views: int
    policies: list[SavedPolicy]
    given: SavedArray
    views: SavedArray
    clicks: SavedArray
    first: SavedArray
    history: list[SavedMoment]


def write_split(saved: SavedSplit, path: str | PathLike[str]) -> None:
    payload = msgspec.msgpack.encode(saved)
    write_atomically(path, HEADER + hashlib.sha256(payload).digest() + payload)


def read_split(path: str | PathLike[str]) -> SavedSplit:
    """Read and verify; every way it can be wrong is one clear sentence."""
    try:
        content = read_whole(path, LARGEST)
    except OSError as error:
        raise StateFileError(f"cannot read {str(path)!r}: {error.strerror}") from None
    if not content.startswith(HEADER):
        newer = content.startswith(ANY)
        made = "made by a newer unirank" if newer else "not a file of a unirank split"
        raise StateFileError(f"{str(path)!r} is {made}")
    digest, payload = content[len(HEADER) :][:32], content[len(HEADER) + 32 :]
    if hashlib.sha256(payload).digest() != digest:
        raise StateFileError(f"{str(path)!r} is corrupt or truncated: its checksum does not match")
    try:
        return msgspec.msgpack.decode(payload, type=SavedSplit)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise StateFileError(f"{str(path)!r} is not a valid split: {error}") from None
