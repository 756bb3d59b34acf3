"""The program of the tutorial "A page that learns", against a real service."""

import subprocess
import sys
from pathlib import Path

from tests.docs.sources import DOCS
from tests.server.process import ServerProcess, eventually


def test_the_visitors_of_the_tutorial_come_and_teach(tmp_path: Path) -> None:
    program = (DOCS / "tutorial/visitors.py").read_text()
    with ServerProcess(tmp_path / "pages.sqlite") as server:
        file = tmp_path / "visitors.py"
        file.write_text(program.replace("http://127.0.0.1:8080", server.address))
        command = [sys.executable, str(file), server.key, "40"]
        said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        assert said.stdout == "40 visitors came and left\n"
        page = eventually(lambda: seen(server, 40))
    assert set(page["arms"]) == {"learner", "holdout"}
    assert page["clicks"] > 0


def seen(server: ServerProcess, views: int) -> dict[str, dict[str, int]] | None:
    page = server.client.get("/v1/pages/shop").json()
    return dict(page) if page["views"] == views else None
