import signal
import socket
import subprocess
import sys
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
        with pytest.raises(ArgumentError, match=f"127.0.0.1:{port}: .* --port 8123"):
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
    later = capsys.readouterr().out
    assert "unirank_" not in later
    assert "--new-key makes another" in later


def test_a_password_is_not_shown() -> None:
    assert without_password("pages.sqlite") == "pages.sqlite"
    for address in (
        "postgresql://me:secret@db:5432/pages",
        "postgresql://me:s%40e%2Fcret@db:5432/pages",
        "postgres://me@db:5432/pages?password=secret&sslpassword=secret",
    ):
        assert without_password(address) == "user=me dbname=pages host=db port=5432"


BUSY = """
import asyncio, sys, time
from unirank.server import run
from unirank.server.settings import Settings

def work():
    print("busy", flush=True)
    time.sleep(60)

async def busy(service):
    await asyncio.to_thread(work)

run.run_demo = busy
run.run(Settings(database=sys.argv[1], port=0, demo=True))
"""


@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_the_service_ends_within_5_seconds_though_a_thread_works(
    tmp_path: Path, how: signal.Signals, code: int
) -> None:
    command = [sys.executable, "-c", BUSY, str(tmp_path / "pages.sqlite")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if line == "busy\n":
                    break
            process.send_signal(how)
            assert process.wait(timeout=5.0) == code
        finally:
            process.kill()
