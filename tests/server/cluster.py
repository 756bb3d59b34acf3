"""A PostgreSQL of our own, in a temporary folder, for as long as a test needs it."""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
IS_ROOT = getpass.getuser() == "root"


def missing() -> str:
    """Why there is no PostgreSQL here; empty if there is one."""
    if not shutil.which("initdb") and not PLACES:
        return "PostgreSQL is not installed (Debian: apt install postgresql)"
    if IS_ROOT and not shutil.which("runuser"):
        return "PostgreSQL does not run as root, and there is no runuser"
    return ""


needs_postgresql = pytest.mark.skipif(bool(missing()), reason=missing())


class Cluster:
    """One server process tree; `url(name)` makes a database."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder / "data"
        self._options = options
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        if IS_ROOT:
            folder.chmod(0o755)
            self.folder.mkdir(mode=0o700)
            shutil.chown(self.folder, "postgres", "postgres")
        self._run("initdb", "-D", str(self.folder), "-U", "unirank", "-A", "trust", "-N")
        self.start()

    def _command(self, program: str, *values: str) -> list[str]:
        path = shutil.which(program) or str(PLACES[0] / program)
        as_user = ["runuser", "-u", "postgres", "--"] if IS_ROOT else []
        return [*as_user, path, *values]

    def _run(self, program: str, *values: str) -> None:
        done = subprocess.run(
            self._command(program, *values),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout

    def start(self) -> None:
        options = [
            f"-p {self.port}",
            "-c listen_addresses=127.0.0.1",
            "-c unix_socket_directories=''",
            *self._options,
        ]
        log = str(self.folder / "log")
        self._run(
            "pg_ctl", "-D", str(self.folder), "-l", log, "-w", "-o", " ".join(options), "start"
        )

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-D", str(self.folder), "-w", "-m", mode, "stop")

    def url(self, name: str = "pages") -> str:
        """Address of a database of this name, made if it is not there."""
        server = f"postgresql://unirank@127.0.0.1:{self.port}"
        with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,))
            if found.fetchone() is None:
                connection.execute(f'CREATE DATABASE "{name}"'.encode())
        return f"{server}/{name}"

    def pids(self) -> list[int]:
        """The server and all its children."""
        first = int((self.folder / "postmaster.pid").read_text().split()[0])
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(first)], capture_output=True, text=True, check=False
        )
        return [first, *map(int, listed.stdout.split())]

    def signal(self, number: signal.Signals) -> None:
        for pid in self.pids():
            os.kill(pid, number)


@contextmanager
def cluster(*options: str) -> Iterator[Cluster]:
    """A cluster that is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="unirank-postgresql-"))
    try:
        started = Cluster(folder, *options)
        try:
            yield started
        finally:
            started.stop("immediate")
    finally:
        shutil.rmtree(folder)
