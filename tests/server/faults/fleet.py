"""Processes of the service on one database that can be killed and begun again in no time.

They run `unirank.server.run.run`, as `unirank serve` does, as forks of one parent that has imported
everything. Each keeps its port for life, so that clients find it again.
"""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from tests.server.stores import opened
from unirank.server.keys import Keys
from unirank.server.run import run
from unirank.server.settings import Settings

WITHIN = 60.0  # seconds to start; the first one imports and compiles
_forks = get_context("forkserver")
_forks.set_forkserver_preload(["tests.server.faults.warm"])


def _serve(settings: Settings, log: str) -> None:
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.dup2(file, 1)
    os.dup2(file, 2)
    run(settings)


class Fleet:
    """`n` processes; `ports` are their addresses on this machine."""

    def __init__(self, database: str, folder: Path, n: int, **settings: Any) -> None:
        self.database, self.log = database, folder / "fleet.log"
        self._settings = {"tick": 0.02, "requests_per_s": 1e9, **settings}
        with opened(database) as store:
            self.key = Keys(store).create(("admin",))
        self.ports = _free_ports(n)
        self.processes: list[BaseProcess | None] = [None] * n
        for index in range(n):
            self.begin(index)
        self.wait_until_ready()

    def begin(self, index: int) -> None:
        settings = Settings(self.database, port=self.ports[index], **self._settings)
        process = _forks.Process(target=_serve, args=(settings, str(self.log)), daemon=True)
        process.start()
        self.processes[index] = process

    def end(self, index: int, how: signal.Signals) -> int | None:
        """Send a signal to a process and wait until it is gone; its exit code."""
        process = self.processes[index]
        assert process is not None
        assert process.pid is not None
        os.kill(process.pid, how)
        process.join(20)
        self.processes[index] = None
        return process.exitcode

    def pid(self, index: int = 0) -> int:
        process = self.processes[index]
        assert process is not None
        assert process.pid is not None
        return process.pid

    def wait_until_ready(self) -> None:
        for port in self.ports:
            until = monotonic() + WITHIN
            while not _is_ready(port):
                assert monotonic() < until, f"no answer: {self.log.read_text()[-2000:]}"
                sleep(0.01)


def _free_ports(n: int) -> list[int]:
    sockets = [socket.socket() for _ in range(n)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def _is_ready(port: int) -> bool:
    try:
        with closing(HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
    except OSError:
        return False


@contextmanager
def fleet(database: str | Path, folder: Path, n: int = 1, **settings: Any) -> Iterator[Fleet]:
    """A fleet that is gone afterwards."""
    started = Fleet(str(database), folder, n, **settings)
    try:
        yield started
    finally:
        for index, process in enumerate(started.processes):
            if process is not None:
                started.end(index, signal.SIGKILL)
