"""Examples run as they stand, and each leaves a figure."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.sources import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
LONGEST = 60  # lines


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_leaves_a_figure(path: Path, tmp_path: Path) -> None:
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths, "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (figure,) = tmp_path.glob("*.png")
    assert figure.stat().st_size > 5000


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_and_starts_with_a_title(path: Path) -> None:
    text = path.read_text()
    title, line, blank, sentence, *_ = (ast.get_docstring(ast.parse(text)) or "").split("\n")
    assert line == "=" * len(title)
    assert not blank
    assert sentence
    assert len(text.splitlines()) <= LONGEST


def test_the_gallery_is_numbered_without_gaps() -> None:
    assert [path.name[:3] for path in EXAMPLES] == [f"{n:02}_" for n in range(1, len(EXAMPLES) + 1)]
