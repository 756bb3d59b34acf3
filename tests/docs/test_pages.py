"""Pages run: their examples print what they say, their links lead somewhere, none is lost."""

import doctest
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.sources import DOCS, GENERATED, ROOT, WRITTEN, name_of
from unirank import policies
from unirank.cli.main import main
from unirank.lab.experiment import parsed

EXAMPLES = {path.stem for path in ROOT.glob("examples/*.py")}


@pytest.fixture
def climber(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with the file that the tutorial says to save."""
    shutil.copy(ROOT / "examples/06_your_own_policy.py", tmp_path / "climber.py")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("climber", None)
    if "climber" in policies.registry.names():
        policies.registry.remove("climber")


@pytest.mark.usefixtures("climber")
@pytest.mark.parametrize("path", WRITTEN, ids=name_of)
def test_the_examples_of_a_page_run(path: Path) -> None:
    failed, _ = doctest.testfile(str(path), module_relative=False)
    assert failed == 0


@pytest.mark.parametrize("path", WRITTEN, ids=name_of)
def test_the_links_of_a_page_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)\)", path.read_text()):
        assert target.startswith("https://") or leads_somewhere(path.parent / target), target


def leads_somewhere(path: Path) -> bool:
    """Whether a file is there, or will be when the site is built."""
    inside = path.resolve().relative_to(DOCS)
    if inside.parts[0] == "gallery":
        named = re.search(r"\d\d_[a-z_]+[a-z]", inside.name)
        return inside.name == "index.rst" or (named is not None and named[0] in EXAMPLES)
    if inside.parts[:2] == ("reference", "generated"):
        return str(inside.relative_to("reference/generated")) in GENERATED
    return (DOCS / inside).exists()


@pytest.mark.parametrize("path", sorted(GENERATED))
def test_the_links_of_a_generated_page_lead_somewhere(path: str) -> None:
    folder = (DOCS / "reference/generated" / path).parent
    for target in re.findall(r"(?<!\\)\]\(([^)#\s]+)\)", GENERATED[path]):
        assert target.startswith("https://") or leads_somewhere(folder / target), target


def test_every_page_is_in_a_table_of_contents() -> None:
    listed = {DOCS / "index.md"}
    for path in WRITTEN:
        for block in re.findall(r"```{toctree}\n:hidden:\n\n(.*?)```", path.read_text(), re.DOTALL):
            listed |= {path.parent / f"{entry}.md" for entry in block.split()}
    assert set(WRITTEN) <= listed


def test_a_block_of_examples_ends_with_the_blank_line_that_doctest_needs() -> None:
    for path in WRITTEN:
        for block in re.findall(r"```python\n(.*?)```", path.read_text(), re.DOTALL):
            assert block.endswith("\n\n"), f"{name_of(path)}: {block}"


def test_the_question_of_the_tutorial_is_a_valid_one() -> None:
    text = (DOCS / "tutorial/first_experiment.md").read_text()
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert parsed("ten_items", block).question == tomllib.loads(block)["question"]


def test_the_tutorials_policy_keeps_the_contract(
    climber: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code_of("check", "climber:Climber") == 0
    assert capsys.readouterr().out.count("  holds  ") == 7


def test_the_tutorials_policy_is_run_and_plotted(
    climber: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ["--policy", "climber:Climber", "--n-rounds", "1e3", "--n-games", "2"]
    assert code_of("run", "simul-pbm", *small) == 0
    assert "climber" in capsys.readouterr().out
    assert code_of("plot", "results/simul-pbm") == 0
    assert (climber / "regret.png").stat().st_size > 1000


def code_of(*words: str) -> object:
    with pytest.raises(SystemExit) as end:
        main(words)
    return end.value.code
