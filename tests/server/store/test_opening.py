from pathlib import Path

import pytest

from unirank.errors import ArgumentError
from unirank.server.store.database import StoreUnavailable
from unirank.server.store.opening import open_store


def test_a_file_is_made_and_opened_again(tmp_path: Path) -> None:
    for expected in (1, 3):
        store = open_store(str(tmp_path / "new.sqlite"))
        assert store.lease(2) == expected
        store.close()


def test_a_folder_that_is_not_there_is_named() -> None:
    with pytest.raises(StoreUnavailable, match="unable to open"):
        open_store("/nowhere/at/all.sqlite")


def test_nothing_is_refused() -> None:
    with pytest.raises(ArgumentError, match="database must be"):
        open_store("")
