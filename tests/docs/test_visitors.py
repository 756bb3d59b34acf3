"""The program of the tutorial "A page that learns", against a real service."""

import subprocess
import sys
from pathlib import Path

from tests.docs.sources import DOCS
from tests.docs.test_web_application import free_port
from tests.server.process import ServerProcess, eventually

PROGRAM = DOCS / "tutorial/visitors.py"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_the_visitors_of_the_tutorial_come_and_teach(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "pages.sqlite") as server:
        said = run(server.key, server.address, "40")
        assert (said.stdout, said.stderr) == ("40 visitors came and left\n", "")
        page = eventually(lambda: seen(server, 40))
        refused = run("unirank_wrong", server.address)
    assert set(page["arms"]) == {"learner", "holdout"}
    assert page["clicks"] > 0
    assert refused.stderr.startswith("the service refuses: there is no such key")


def test_one_line_says_that_nobody_answers() -> None:
    address = f"http://127.0.0.1:{free_port()}"
    said = run("unirank_any", address)
    assert said.returncode == 1
    assert said.stderr.startswith(f"nobody answers at {address}, start unirank serve or give its")
    assert said.stderr.count("\n") == 1


def seen(server: ServerProcess, views: int) -> dict[str, dict[str, int]] | None:
    page = server.client.get("/v1/pages/shop").json()
    return dict(page) if page["views"] == views else None
