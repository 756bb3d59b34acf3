"""The web application of the how-to page, with real HTTP calls and two worker processes."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest

import unirank as ur
from tests.docs.sources import DOCS, ROOT

PROGRAM = DOCS / "how_to/web_application.py"
LONGEST_START = 120.0  # seconds
KEY = "a secret"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Workers:
    """Two processes of the application in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = {**os.environ, "TOKEN_KEY": KEY, "PYTHONPATH": str(ROOT)}
        shutil.copy(PROGRAM, folder)
        self.run("web_application.py")
        self.processes: list[subprocess.Popen[bytes]] = []
        self.clients: list[httpx.Client] = []
        self.start()

    def run(self, *words: str) -> None:
        subprocess.run([sys.executable, *words], cwd=self.folder, env=self.settings, check=True)

    def start(self) -> None:
        ports = [free_port(), free_port()]
        words = [sys.executable, "-m", "uvicorn", "web_application:app", "--log-level", "warning"]
        self.processes = [
            subprocess.Popen(
                [*words, "--port", str(port)],
                cwd=self.folder,
                env={**self.settings, "WORKER": str(number)},
            )
            for number, port in enumerate(ports, 1)
        ]
        self.clients = [httpx.Client(base_url=f"http://127.0.0.1:{port}") for port in ports]
        for client, process in zip(self.clients, self.processes, strict=True):
            wait_for(client, process)

    def stop(self) -> None:
        for client in self.clients:
            client.close()
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(timeout=60)

    def learnt(self, number: int) -> ur.Policy:
        return ur.load(self.folder / f"worker-{number}.unirank", token_key=KEY)


def wait_for(client: httpx.Client, process: "subprocess.Popen[bytes]") -> None:
    end = monotonic() + LONGEST_START
    while process.poll() is None and monotonic() < end:
        try:
            client.get("/openapi.json")
            return
        except httpx.TransportError:
            sleep(0.05)
    raise AssertionError("the application does not start")


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    found = Workers(tmp_path_factory.mktemp("web"))
    yield found
    found.stop()


def answered(client: httpx.Client, page: dict[str, Any], clicks: list[str]) -> httpx.Response:
    return client.post("/clicks", json={"token": page["token"], "clicks": clicks})


def test_any_worker_learns_from_any_visitor_once(workers: Workers) -> None:
    """60 visitors: each asks one worker, answers another one or the same, or never."""
    pages = []
    for visitor in range(60):
        asked, told = workers.clients[visitor % 2], workers.clients[visitor // 2 % 2]
        page = asked.get("/page").raise_for_status().json()
        assert len(set(page["items"])) == 3
        if visitor % 5:  # the others never answer
            reply = answered(told, page, [item for item in page["items"] if item == "mug"])
            assert reply.status_code == 204, reply.text
            pages.append((told, page))
    for told, page in pages:
        reply = answered(told, page, [])
        assert reply.status_code == 400
        assert "already updated" in reply.json()["error"]


def test_what_is_wrong_is_one_line(workers: Workers) -> None:
    client = workers.clients[0]
    page = client.get("/page").json()
    for token, clicked, sentence in (
        (page["token"][:-2] + "AA", [], "token must be signed with this policy's token_key"),
        ("x", [], "token must be a text that shown.token gave"),
        (page["token"], ["zebra"], "clicks must be among the shown"),
    ):
        reply = answered(client, {"token": token}, clicked)
        assert reply.status_code == 400
        assert reply.json()["error"].startswith(sentence)
    assert answered(client, page, []).status_code == 204


def test_a_worker_that_is_stopped_goes_on_where_it_was(workers: Workers) -> None:
    late = workers.clients[0].get("/page").json()
    before = workers.clients[1].get("/page").json()
    assert answered(workers.clients[0], before, []).status_code == 204
    workers.stop()
    rounds = [workers.learnt(number).round for number in (1, 2)]
    assert all(n >= 1 for n in rounds)
    workers.start()
    assert answered(workers.clients[0], late, []).status_code == 204
    assert answered(workers.clients[0], before, []).status_code == 400  # learnt before it stopped


def test_a_night_puts_together_what_the_workers_learnt(workers: Workers) -> None:
    late, answers = workers.clients[0].get("/page").json(), []
    for visitor in range(20):
        client = workers.clients[visitor % 2]
        page = client.get("/page").json()
        assert answered(client, page, page["items"][:1]).status_code == 204
        answers.append(page)
    workers.stop()
    begun = ur.load(workers.folder / "start.unirank", token_key=KEY).statistics()["wins"].sum()
    gains = [workers.learnt(number).statistics()["wins"].sum() - begun for number in (1, 2)]
    assert min(gains) > 0
    shutil.copy(workers.folder / "start.unirank", workers.folder / "worker-3.unirank")  # idle
    workers.run("web_application.py")
    assert not list(workers.folder.glob("worker-*.unirank"))
    merged = ur.load(workers.folder / "start.unirank", token_key=KEY).statistics()["wins"].sum()
    assert merged == begun + sum(gains)
    workers.start()
    for client in workers.clients:  # each knows what either was told
        assert {answered(client, page, []).status_code for page in answers} == {400}
    assert answered(workers.clients[1], late, []).status_code == 204  # a page of the day before


def test_the_program_is_shown_on_its_page_and_short() -> None:
    page = (DOCS / "how_to/web_application.md").read_text()
    assert "literalinclude} web_application.py" in page
    lines = PROGRAM.read_text().splitlines()
    assert sum(bool(line) for line in lines) <= 70
