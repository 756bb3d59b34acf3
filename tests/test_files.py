"""A reader of a file being written sees the old one or the new one; nothing else is left behind."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn
from unittest.mock import Mock

import pytest

from unirank.errors import ArgumentError
from unirank.files import (
    read_whole,
    temporary_folder,
    writable_folder,
    write_atomically,
    written_atomically,
)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A file that exists already, alone in its folder."""
    path = tmp_path / "state"
    path.write_bytes(b"old")
    return path


@pytest.fixture
def _umask_put_back() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def full_disk(*_: Any) -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device")


def interrupted(*_: Any) -> NoReturn:
    raise KeyboardInterrupt


def not_allowed(*_: Any, **__: Any) -> NoReturn:
    raise PermissionError(errno.EACCES, "Permission denied")


@pytest.mark.parametrize("name", ["state", "x" * 255])
def test_a_new_file_holds_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_atomically(name, b"new")
    assert (tmp_path / name).read_bytes() == b"new"


def test_an_old_file_is_replaced_and_nothing_else_is_left(old: Path) -> None:
    write_atomically(old, b"new")
    assert {path: path.read_bytes() for path in old.parent.iterdir()} == {old: b"new"}


def test_the_new_file_is_on_the_disk_before_it_takes_the_place_of_the_old(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Mock(fsync=Mock(wraps=os.fsync), replace=Mock(wraps=os.replace))
    monkeypatch.setattr("unirank.files.os.fsync", steps.fsync)
    monkeypatch.setattr("unirank.files.os.replace", steps.replace)
    write_atomically(old, b"new")
    assert [name for name, _, _ in steps.mock_calls] == ["fsync", "replace"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("trouble", [full_disk, interrupted])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    old: Path, monkeypatch: pytest.MonkeyPatch, step: str, trouble: Any
) -> None:
    monkeypatch.setattr(f"unirank.files.os.{step}", trouble)
    with pytest.raises((ArgumentError, KeyboardInterrupt)):
        write_atomically(old, b"new")
    assert {path: path.read_bytes() for path in old.parent.iterdir()} == {old: b"old"}


def test_a_full_disk_is_told_in_one_line(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unirank.files.os.fsync", full_disk)
    with pytest.raises(ArgumentError) as caught:
        write_atomically(old, b"new")
    assert str(caught.value) == f"cannot write {str(old)!r}: No space left on device"


def test_a_missing_folder_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "state"
    with pytest.raises(ArgumentError) as caught:
        write_atomically(path, b"new")
    assert str(caught.value) == f"cannot write {str(path)!r}: No such file or directory"


def test_a_folder_that_cannot_be_written_is_told_in_one_line(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.open", not_allowed)  # root may write anywhere
    with pytest.raises(ArgumentError) as caught:
        write_atomically(old, b"new")
    assert str(caught.value) == f"cannot write {str(old)!r}: Permission denied"


def test_a_folder_in_the_place_of_the_file_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError) as caught:
        write_atomically(tmp_path, b"new")
    assert str(caught.value) == f"cannot write {str(tmp_path)!r}: Is a directory"
    assert list(tmp_path.parent.glob(f".{tmp_path.name}.*")) == []


@pytest.mark.usefixtures("_umask_put_back")
@pytest.mark.parametrize("umask", [0o000, 0o002, 0o022, 0o077])
def test_permissions_follow_the_umask(tmp_path: Path, umask: int) -> None:
    os.umask(umask)
    write_atomically(tmp_path / "state", b"new")
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o666 & ~umask


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444])
def test_a_file_that_is_replaced_keeps_its_permissions(old: Path, mode: int) -> None:
    old.chmod(mode)
    write_atomically(old, b"new")
    assert (old.read_bytes(), old.stat().st_mode & 0o7777) == (b"new", mode)


def test_a_link_stays_a_link(old: Path) -> None:
    link = old.parent / "elsewhere" / "link"
    link.parent.mkdir()
    link.symlink_to(old)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert old.read_bytes() == b"new"
    assert list(link.parent.iterdir()) == [link]


def test_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ArgumentError, match=r"pipe': Not a regular file$"):
        write_atomically(tmp_path / "pipe", b"new")
    assert (tmp_path / "pipe").is_fifo()


KILLED = """
import os, signal
from pathlib import Path
from unirank.files import temporary_folder, written_atomically
with temporary_folder("unirank-test-") as folder, written_atomically("state") as file:
    (folder / "spilt").write_bytes(bytes(1000))
    file.write_bytes(bytes(1000))
    os.kill(os.getpid(), signal.SIGKILL)
"""


def age(folder: Path) -> None:
    for path in folder.rglob("*"):
        os.utime(path, (0, 0))


def test_what_a_killed_process_left_is_removed_by_the_next(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = [sys.executable, "-c", KILLED]
    environment = {**os.environ, "TMPDIR": str(old.parent), "PYTHONPATH": os.getcwd()}
    subprocess.run(line, cwd=old.parent, env=environment, check=False)
    assert len(list(old.parent.iterdir())) == 3
    age(old.parent)
    monkeypatch.setattr("tempfile.tempdir", str(old.parent))
    write_atomically(old, b"new")
    monkeypatch.setattr("unirank.files._cleaned", set())
    with temporary_folder("unirank-test-") as folder:
        assert set(old.parent.iterdir()) == {old, folder}
    assert {path: path.read_bytes() for path in old.parent.iterdir()} == {old: b"new"}


def test_what_is_in_use_or_new_is_not_removed(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = old.parent / ".unirank-1.tmp"
    with written_atomically(old) as temporary:
        temporary.write_bytes(b"new")
        age(old.parent)
        new.touch()
        monkeypatch.setattr("unirank.files._cleaned", set())
        write_atomically(old.parent / "other", b"")
        assert temporary.exists()
        assert new.exists()


def test_a_file_is_read_whole(old: Path) -> None:
    assert read_whole(old, 3) == read_whole(str(old), 2**40) == b"old"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("state", "It has more than 2 bytes"),
        ("/dev/zero", "Not a regular file"),
        ("pipe", "Not a regular file"),  # opening it would wait for a writer
        (".", "Is a directory"),
        ("none", "No such file or directory"),
        ("a\0b", "embedded null byte"),
    ],
)
def test_a_file_that_cannot_be_read_whole_is_refused(
    old: Path, monkeypatch: pytest.MonkeyPatch, name: str, reason: str
) -> None:
    monkeypatch.chdir(old.parent)
    os.mkfifo("pipe")
    with pytest.raises(OSError, match=reason) as caught:
        read_whole(name, 2)
    assert caught.value.strerror == reason


@pytest.mark.parametrize("path", [0, None, b"state", ["state"]])
def test_what_is_no_path_is_refused(path: Any) -> None:
    for use in (lambda: read_whole(path, 10), lambda: write_atomically(path, b"")):
        with pytest.raises(ArgumentError, match=r"^path must be a path, got "):
            use()


def test_a_folder_is_made_with_those_above_it(tmp_path: Path) -> None:
    folder = writable_folder("out", str(tmp_path / "a" / "b"))
    assert folder == tmp_path / "a" / "b"
    assert folder.is_dir()


def test_a_folder_that_exists_is_left_as_it_was(old: Path) -> None:
    writable_folder("out", old.parent)
    assert {path: path.read_bytes() for path in old.parent.iterdir()} == {old: b"old"}


def test_a_file_in_the_place_of_a_folder_is_refused(old: Path) -> None:
    with pytest.raises(ArgumentError) as caught:
        writable_folder("out", old)
    rule = "out must be a folder that can be written"
    assert str(caught.value) == f"{rule}, got {str(old)!r}: File exists"


def test_a_folder_that_cannot_be_written_is_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unirank.files.TemporaryFile", not_allowed)
    with pytest.raises(ArgumentError) as caught:
        writable_folder("out", tmp_path)
    rule = "out must be a folder that can be written"
    assert str(caught.value) == f"{rule}, got {str(tmp_path)!r}: Permission denied"


def test_a_file_can_be_written_piece_by_piece(old: Path) -> None:
    with written_atomically(old) as temporary:
        temporary.write_bytes(b"new")
        assert old.read_bytes() == b"old"
    assert {path: path.read_bytes() for path in old.parent.iterdir()} == {old: b"new"}


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ArgumentError("mine"), OSError(28, "Full")])
def test_what_goes_wrong_between_the_pieces_leaves_the_old_file(
    old: Path, error: BaseException
) -> None:
    def write() -> None:
        with written_atomically(old) as temporary:
            temporary.write_bytes(b"half")
            raise error

    with pytest.raises((KeyboardInterrupt, ArgumentError)) as caught:
        write()
    told: dict[type[BaseException], str] = {
        OSError: f"cannot write {str(old)!r}: Full",
        ArgumentError: "mine",
    }
    assert str(caught.value) == told.get(type(error), "")
    assert {path: path.read_bytes() for path in old.parent.iterdir()} == {old: b"old"}
