"""Compiled code is kept in, and loaded from, folders that nobody else can write."""

import os
import pickle
from pathlib import Path

import pytest

from tests.policies.kernels.test_compiling import WALK, Project
from unirank.policies.kernels.cache_folder import is_private, usable

FOLDERS = [
    (0o700, 0o700, True),
    (0o755, 0o755, True),
    (0o755, 0o777, False),
    (0o777, 0o700, False),  # others could put another folder in its place
    (0o1777, 0o700, True),  # as in /tmp
    (0o755, 0o1777, False),  # files of others could be there
]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    project.write("walk", "@compiled\ndef walk(x): return x + 2")
    return project


@pytest.mark.parametrize(("above", "mode", "private"), FOLDERS)
def test_folders_that_others_may_write_are_not_used(
    tmp_path: Path, above: int, mode: int, private: bool
) -> None:
    folder = tmp_path / "above" / "cache"
    folder.mkdir(parents=True)
    folder.chmod(mode)
    folder.parent.chmod(above)
    assert is_private(folder) is usable(str(folder)) is private


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give folders away")
@pytest.mark.parametrize(
    ("owner", "group", "private"), [(0, 0, True), (0, 7, False), (7, 7, False)]
)
def test_group_and_owner_count(tmp_path: Path, owner: int, group: int, private: bool) -> None:
    tmp_path.chmod(0o775)
    os.chown(tmp_path, owner, group)
    assert is_private(tmp_path) is private


def test_the_working_folder_is_never_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert not usable("~/.cache/numba")
    assert list(tmp_path.iterdir()) == []


def test_a_new_folder_is_closed_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        assert usable(str(tmp_path / "a" / "b"))
    finally:
        os.umask(before)


def test_temporary_files_of_killed_processes_are_removed(tmp_path: Path) -> None:
    old, new = tmp_path / "f.nbi.tmp.1", tmp_path / "f.nbi.tmp.2"
    old.touch()
    new.touch()
    os.utime(old, (0, 0))
    assert usable(str(tmp_path))
    assert list(tmp_path.iterdir()) == [new]


class Planted:
    """Makes a folder when it is loaded."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (os.environ["PLANTED"],)


@pytest.mark.parametrize("folder_mode", [0o755, 0o777])
def test_what_others_have_planted_is_not_loaded(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder_mode: int
) -> None:
    assert project.run(WALK) == ["2", "0"]
    monkeypatch.setenv("PLANTED", str(tmp_path / "executed"))
    (index,) = (tmp_path / "cache").rglob("walk.walk*.nbi")
    index.write_bytes(pickle.dumps(Planted()))
    index.chmod(0o666)  # as if others had written it
    index.parent.chmod(folder_mode)
    quiet = "import warnings; warnings.simplefilter('ignore'); "
    assert project.run(quiet + WALK, HOME=str(tmp_path / "home"))[0] == "2"
    assert not (tmp_path / "executed").exists()


def test_a_folder_that_was_asked_for_and_is_open_is_told(project: Project, tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    code = """
        import warnings
        with warnings.catch_warnings(record=True, action="always") as found:
            import walk
        print(found[0].message)
    """
    told = " ".join(project.run(code, NUMBA_CACHE_DIR=str(tmp_path / "open")))
    assert told.startswith("NUMBA_CACHE_DIR must be an absolute folder that only you can write")
