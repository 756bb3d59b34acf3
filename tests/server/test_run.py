import socket
from pathlib import Path

import pytest
from rich.console import Console

from tests.server.stores import opened
from unirank.errors import ArgumentError
from unirank.server.keys import Keys
from unirank.server.run import first_key, greet, listening_socket, without_password


def test_a_port_that_is_taken_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ArgumentError, match=f"127.0.0.1:{port}"):
            listening_socket("127.0.0.1", port)


def test_another_key_is_made_only_when_it_is_wanted(tmp_path: Path) -> None:
    with opened(tmp_path / "k.sqlite") as store:
        keys = Keys(store)
        made = [first_key(keys, another=wanted) for wanted in (False, False, True)]
        assert [key is not None for key in made] == [True, False, True]


def test_the_key_is_shown_once(capsys: pytest.CaptureFixture[str]) -> None:
    greet(Console(), "http://127.0.0.1:1", "pages.sqlite", "unirank_1_x")
    assert "curl -X PUT http://127.0.0.1:1/v1/pages/first" in capsys.readouterr().out
    greet(Console(), "http://127.0.0.1:1", "pages.sqlite", None)
    assert "key" not in capsys.readouterr().out


def test_a_password_is_not_shown() -> None:
    shown = without_password("postgresql://me:secret@db:5432/pages")
    assert shown == "postgresql://me:...@db:5432/pages"
    assert without_password("postgresql://me@db/pages") == "postgresql://me@db/pages"
    assert without_password("pages.sqlite") == "pages.sqlite"
