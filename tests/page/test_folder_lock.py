"""One process at a time works in a folder; the lock ends with the process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from unirank.errors import ArgumentError
from unirank.page.folder_lock import FolderLock

HOLD = "import sys; from pathlib import Path; from unirank.page.folder_lock import FolderLock; "


def test_a_folder_in_use_is_refused_until_it_is_released(tmp_path: Path) -> None:
    first = FolderLock("folder", tmp_path)
    with pytest.raises(ArgumentError, match=r"^folder must be used by one process at a time, got"):
        FolderLock("folder", tmp_path)
    first.release()
    FolderLock("folder", tmp_path).release()


def test_a_process_that_dies_leaves_the_folder_free(tmp_path: Path) -> None:
    code = f"{HOLD} lock = FolderLock('folder', Path(sys.argv[1])); import os; os._exit(9)"
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)]).returncode == 9
    FolderLock("folder", tmp_path).release()


def test_a_forked_process_is_told_to_open_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = FolderLock("folder", tmp_path)
    lock.check()
    monkeypatch.setattr(os, "getpid", lambda: -1)
    with pytest.raises(ArgumentError, match=r"^pages must be opened after a fork"):
        lock.check()
    lock.release()
