"""State files: what is written is read back, and whatever else is in a file is refused."""

import hashlib
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from unirank import ArgumentError, StateFileError, UniRank, load
from unirank.page.state_file import (
    FORMAT,
    VERSION,
    SavedPolicy,
    SavedRounds,
    read_state_file,
    write_state_file,
)
from unirank.policies.base.snapshot import SavedArray

HEADER = b"unirank state 2\n"
ROUND = SavedArray("<i8", [1], bytes(8))
SAVED = SavedPolicy(
    policy="unirank",
    items=["a", 2],
    n_positions=1,
    seed=3,
    max_pending=4,
    options={"early": "leader"},
    round=5,
    let_go=1,
    unanswered=SavedRounds(ROUND, ROUND, ROUND, ROUND, [b"memory"]),
    statistics={"wins": SavedArray("<i8", [1, 2], bytes(16))},
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A good state file, alone in its folder."""
    write_state_file(SAVED, tmp_path / "state")
    return tmp_path / "state"


def sealed(payload: bytes) -> bytes:
    """A payload with the header and the checksum that make it look right."""
    return HEADER + hashlib.sha256(payload).digest() + payload


def error_on(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    with pytest.raises(StateFileError) as caught:
        read_state_file(path)
    return str(caught.value)


def test_what_is_written_is_read_back(path: Path) -> None:
    assert read_state_file(path) == SAVED


def test_version_1_is_read(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"state 2", b"state 1", 1))
    assert read_state_file(path) == SAVED


def test_a_path_may_be_a_string(path: Path) -> None:
    assert read_state_file(str(path)) == SAVED


def test_the_format_is_a_header_a_checksum_and_msgpack(path: Path) -> None:
    assert path.read_bytes() == sealed(msgspec.msgpack.encode(SAVED))


def test_the_header_names_the_version_that_is_read() -> None:
    assert FORMAT + str(VERSION).encode() + b"\n" == HEADER


def test_a_file_cut_short_anywhere_is_refused(path: Path) -> None:
    content = path.read_bytes()
    errors = [error_on(path, content[:length]) for length in range(len(content))]
    assert set(errors) == {
        f"{str(path)!r} is not a unirank state file",
        f"{str(path)!r} is corrupt or truncated: its checksum does not match",
    }


def test_a_file_that_goes_on_is_refused(path: Path) -> None:
    told = error_on(path, path.read_bytes() + b"\0")
    assert told == f"{str(path)!r} is corrupt or truncated: its checksum does not match"


@pytest.mark.parametrize("bit", [1, 0x20, 0x80])
def test_a_changed_bit_anywhere_behind_the_header_is_refused(path: Path, bit: int) -> None:
    content = path.read_bytes()
    for place in range(len(HEADER), len(content)):
        changed = bytes([content[place] ^ bit])
        told = error_on(path, content[:place] + changed + content[place + 1 :])
        assert told == f"{str(path)!r} is corrupt or truncated: its checksum does not match"


def test_a_changed_byte_anywhere_in_the_header_is_refused(path: Path) -> None:
    content = path.read_bytes()
    for place in range(len(HEADER)):
        changed = bytes([content[place] ^ 0x80])
        told = error_on(path, content[:place] + changed + content[place + 1 :])
        assert told == f"{str(path)!r} is not a unirank state file"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"unirank state \n",
        b"unirank state one\n",
        b"unirank state -1\n",
        b"unirank state 1",
        b" unirank state 1\n",
        b"\x80\x04K\x01.",  # a pickle
        bytes(1000),
    ],
)
def test_another_kind_of_file_is_refused(path: Path, content: bytes) -> None:
    assert error_on(path, content) == f"{str(path)!r} is not a unirank state file"


@pytest.mark.parametrize("version", [3, 10, 2**70])
def test_a_newer_format_is_refused_as_such(path: Path, version: int) -> None:
    told = error_on(path, b"unirank state %d\nwho knows" % version)
    made = f"has format {version}, made by a newer unirank; this one reads up to 2"
    assert told == f"{str(path)!r} {made}"


def test_a_missing_file_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(StateFileError) as caught:
        read_state_file(tmp_path / "state")
    path = str(tmp_path / "state")
    assert str(caught.value) == f"cannot read {path!r}: No such file or directory"


def test_a_folder_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(StateFileError) as caught:
        read_state_file(tmp_path)
    assert str(caught.value) == f"cannot read {str(tmp_path)!r}: Is a directory"


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"", "Input data was truncated"),
        (b"\xc1", r"MessagePack data is malformed: invalid opcode '\xc1' (byte 0)"),
        (msgspec.msgpack.encode(3), "Expected `object`, got `int`"),
        (msgspec.msgpack.encode({}), "Object missing required field `policy`"),
    ],
)
def test_a_payload_that_is_no_policy_is_refused(path: Path, payload: bytes, reason: str) -> None:
    assert error_on(path, sealed(payload)) == f"{str(path)!r} is not a valid state: {reason}"


@pytest.mark.parametrize(
    "field", [field.name for field in msgspec.structs.fields(SavedPolicy) if field.required]
)
def test_a_field_that_is_missing_is_named(path: Path, field: str) -> None:
    fields = msgspec.structs.asdict(SAVED)
    del fields[field]
    told = error_on(path, sealed(msgspec.msgpack.encode(fields)))
    assert told == f"{str(path)!r} is not a valid state: Object missing required field `{field}`"


def test_a_file_without_an_order_of_positions_is_read_and_written_as_ever(path: Path) -> None:
    assert b"position_order" not in path.read_bytes()
    assert read_state_file(path).position_order == []
    write_state_file(msgspec.structs.replace(SAVED, position_order=[0]), path)
    assert read_state_file(path).position_order == [0]


@pytest.mark.parametrize("field", SavedPolicy.__struct_fields__)
def test_a_field_of_another_type_is_named(path: Path, field: str) -> None:
    wrong, kind = ("long", "str") if field == "half_life" else (1.5, "float")
    fields = {**msgspec.structs.asdict(SAVED), field: wrong}
    told = error_on(path, sealed(msgspec.msgpack.encode(fields)))
    assert told.startswith(f"{str(path)!r} is not a valid state: Expected ")
    assert told.endswith(f"got `{kind}` - at `$.{field}`")


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_crash_while_writing_leaves_the_old_file_and_nothing_else(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def crash(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"unirank.files.os.{step}", crash)
    with pytest.raises(KeyboardInterrupt):
        write_state_file(msgspec.structs.replace(SAVED, seed=99), path)
    assert read_state_file(path) == SAVED
    assert os.listdir(path.parent) == ["state"]


def test_writing_into_a_missing_folder_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "state"
    with pytest.raises(ArgumentError) as caught:
        write_state_file(SAVED, path)
    assert str(caught.value) == f"cannot write {str(path)!r}: No such file or directory"


TEXT = msgspec.msgpack.encode(UniRank(3, 2).to_saved())


@pytest.mark.parametrize(
    "payload",
    [
        TEXT.replace(b"unirank", b"\xff\xfe\xfdrank"),  # UnicodeDecodeError
        TEXT.replace(b"\xa6leader", b"\x91" * 200_000 + b"\x01"),  # RecursionError
    ],
    ids=["not UTF-8", "too deep"],
)
def test_a_payload_that_msgpack_chokes_on_is_refused(tmp_path: Path, payload: bytes) -> None:
    assert "is not a valid state: " in error_on(tmp_path / "state", sealed(payload))


@pytest.mark.parametrize("version", [b"9" * 5000, b"0"])
def test_a_version_that_never_was_is_refused(tmp_path: Path, version: bytes) -> None:
    content = sealed(TEXT).replace(b"state 2\n", b"state " + version + b"\n")
    assert str(tmp_path / "state") in error_on(tmp_path / "state", content)


def test_a_path_that_cannot_be_is_told_in_one_line() -> None:
    with pytest.raises(StateFileError, match=r"^cannot read "):
        load("a\0b")
