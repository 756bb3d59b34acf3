"""A fetched file is whole and verified, or not there: tried against a server on this machine."""

import socket
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.lab.datasets.fakes import Publish, publisher
from unirank.errors import ArgumentError, MissingExtraError
from unirank.lab.datasets.download import DownloadBar, fetch
from unirank.lab.datasets.published_files import located


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Address of a server of the folder `served`; nothing is in mirror or cache."""
    monkeypatch.delenv("UNIRANK_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    handler = partial(Silent, directory=str(tmp_path / "served"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Publish:
    return publisher(tmp_path / "served", monkeypatch)


def test_a_file_is_fetched_once_and_then_found(server: str, served: Publish, cache: Path) -> None:
    path = served("kdd-pbm", address=f"{server}/param_KDD.txt")
    assert fetch("kdd-pbm") == cache / "param_KDD.txt" == located("kdd-pbm")
    assert [each.name for each in cache.iterdir()] == ["param_KDD.txt"]
    path.unlink()
    assert fetch("kdd-pbm") == cache / "param_KDD.txt"


def test_an_altered_file_in_the_cache_is_replaced(
    server: str, served: Publish, cache: Path
) -> None:
    served("kdd-pbm", address=f"{server}/param_KDD.txt")
    fetch("kdd-pbm").write_text("altered")
    fetch("kdd-pbm")
    assert located("kdd-pbm").parent == cache


def test_what_has_the_wrong_sum_is_not_kept(server: str, served: Publish, cache: Path) -> None:
    served("kdd-pbm", address=f"{server}/param_KDD.txt", sha256="0" * 64)
    with pytest.raises(ArgumentError, match=r"not the published param_KDD.txt \(wrong SHA-256\)"):
        fetch("kdd-pbm")
    assert list(cache.iterdir()) == []


def test_an_address_that_holds_nothing_is_one_line(
    server: str, served: Publish, cache: Path
) -> None:
    served("kdd-pbm", address=f"{server}/gone.txt")
    with pytest.raises(
        ArgumentError, match=r"cannot fetch .*gone.txt: HTTP 404; try again, or set"
    ):
        fetch("kdd-pbm")
    assert list(cache.iterdir()) == []


def test_an_address_that_nobody_answers_is_one_line(
    served: Publish, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("UNIRANK_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    served("kdd-pbm", address=f"http://127.0.0.1:{port}/param_KDD.txt")
    with pytest.raises(ArgumentError) as caught:
        fetch("kdd-pbm")
    assert str(caught.value) == (
        f"cannot fetch http://127.0.0.1:{port}/param_KDD.txt: ConnectionError; try again, or set "
        "UNIRANK_DATA to a folder that holds param_KDD.txt"
    )
    assert list(cache.iterdir()) == []


def test_nothing_is_downloaded_where_the_mirror_holds_it(mirror: Publish, cache: Path) -> None:
    path = mirror("kdd-pbm", address="http://127.0.0.1:1/never")
    assert fetch("kdd-pbm") == path
    assert not cache.exists()


def test_own_copies_cannot_be_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UNIRANK_DATA", raising=False)
    with pytest.raises(ArgumentError, match="yandex-clicks cannot be fetched: it has no address"):
        fetch("yandex-clicks")


def test_without_pooch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UNIRANK_DATA", raising=False)
    monkeypatch.setitem(sys.modules, "pooch", None)  # as if it were not installed
    with pytest.raises(MissingExtraError, match=r"needs pooch.*pip install .*\[lab\]'"):
        fetch("kdd-pbm")


def test_the_bar_counts_bytes_where_someone_watches(capsys: pytest.CaptureFixture[str]) -> None:
    bar = DownloadBar("param_KDD.txt", shown=True)
    bar.total = 2000
    bar.update(5000)
    bar.reset()
    bar.update(2000)
    bar.close()
    assert "2.0/2.0 kB" in capsys.readouterr().err
    assert bar.total == 2000


def test_nothing_is_announced(
    server: str, served: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    served("kdd-pbm", address=f"{server}/param_KDD.txt")
    fetch("kdd-pbm")
    assert capsys.readouterr().err == ""
