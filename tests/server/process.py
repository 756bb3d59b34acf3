"""A service in a process of its own, and a client that speaks to it."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Self

import httpx

WITHIN = 60.0  # seconds to start


class ServerProcess:
    """`unirank serve` on a free port; `client` sends its first key."""

    def __init__(
        self,
        database: str | Path,
        *flags: str,
        key: str | None = None,
        environment: Mapping[str, str] | None = None,  # more of it
    ) -> None:
        command = [sys.executable, "-m", "unirank", "serve", "--port", "0"]
        flags = flags if "--tick" in flags else (*flags, "--tick", "0.02")
        self.process = subprocess.Popen(
            [*command, "--database", str(database), *flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {})},
        )
        self.address, self.key = "", key or ""
        assert self.process.stdout is not None
        said = []
        for line in self.process.stdout:
            said.append(line)
            if found := re.search(r"unirank serves (http://\S+)", line):
                self.address = found[1]
            if found := re.search(r"API key, shown once: (\S+)", line):
                self.key = found[1]
            if self.address and self.key:
                break
        if not self.address:
            self.process.communicate()
            raise AssertionError("".join(said))
        headers = {"Authorization": f"Bearer {self.key}"}
        self.client = httpx.Client(base_url=self.address, headers=headers, timeout=60.0)
        self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        until = monotonic() + WITHIN
        while monotonic() < until:
            try:
                if self.client.get("/readyz").status_code == 200:
                    return
            except httpx.TransportError:
                sleep(0.02)
        raise AssertionError("the service did not start")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it, and return its exit code."""
        self.client.close()
        self.process.send_signal(how)
        self.process.communicate(timeout=20)
        return self.process.returncode

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.stop(signal.SIGKILL)


def eventually(check: Any, within: float = 10.0) -> Any:
    """What `check` returns as soon as it is true."""
    until = monotonic() + within
    while not (found := check()):
        assert monotonic() < until, f"not true within {within} s"
        sleep(0.02)
    return found
