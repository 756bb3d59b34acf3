from pathlib import Path

import pytest

from unirank.errors import ArgumentError
from unirank.server.store.opening import open_store


def test_a_file_is_made_and_opened_again(tmp_path: Path) -> None:
    for expected in (1, 3):
        store = open_store(str(tmp_path / "new.sqlite"))
        assert store.lease(2) == expected
        store.close()


def test_a_folder_that_is_not_there_is_named() -> None:
    words = "got '/nowhere/at/all.sqlite': make the folder '/nowhere/at' first"
    with pytest.raises(ArgumentError, match=f"^database must be in a folder .*, {words}$"):
        open_store("/nowhere/at/all.sqlite")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"^database must be a file, got the folder .*sqlite'$"):
        open_store(str(tmp_path))


@pytest.mark.parametrize("address", [":memory:", "mysql://me:secret@host/pages"])
def test_an_address_of_something_else_is_refused(address: str) -> None:
    with pytest.raises(
        ArgumentError, match=r"^database must be a file or postgresql://"
    ) as refused:
        open_store(address)
    assert "secret" not in str(refused.value)


def test_an_address_that_cannot_be_read_is_told_without_its_password() -> None:
    words = "^database must be an address such as postgresql://user@host/name: .*IPv6"
    with pytest.raises(ArgumentError, match=words) as refused:
        open_store("postgresql://me:secret@[bad/pages")
    assert "secret" not in str(refused.value)


def test_nothing_is_refused() -> None:
    with pytest.raises(ArgumentError, match="database must be"):
        open_store("")
