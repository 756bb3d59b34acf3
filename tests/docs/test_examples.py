"""Examples run as they stand, and each leaves a figure."""

import ast
import runpy
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import pytest
from matplotlib import pyplot

from tests.docs.sources import ROOT
from unirank import policies

matplotlib.use("agg")

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
LONGEST = 70  # lines

pytestmark = pytest.mark.slow


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to work in; what an example registered is forgotten afterwards."""
    before = policies.registry.names()
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    pyplot.close("all")
    for name in set(policies.registry.names()) - set(before):
        policies.registry.remove(name)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_leaves_a_figure(path: Path, workplace: Path) -> None:
    runpy.run_path(str(path), run_name="__main__")
    figures = list(workplace.iterdir())
    assert figures
    for figure in figures:  # and nothing else
        assert figure.suffix == ".png"
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
