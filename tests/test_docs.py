"""Documents cannot lie: examples run, links lead somewhere, printed tables are printed again."""

import doctest
import importlib
import pkgutil
import re
import tomllib
from pathlib import Path

import pytest

import unirank as ur
from unirank.cli.main import COMMANDS, main

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("benchmarks/*.md"))
MODULES = [m.name for m in pkgutil.walk_packages(ur.__path__, "unirank.") if "__" not in m.name]


def test_the_readme_runs() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried >= 8
    assert failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_every_policy_and_click_model_has_an_example() -> None:
    for entry in (*ur.policies.registry, *ur.click_models.registry):
        assert ">>>" in (entry.cls.__doc__ or ""), f"{entry.name} has no example"


def test_the_readme_names_every_command() -> None:
    text = (ROOT / "README.md").read_text()
    for name in COMMANDS:
        assert f"unirank {name}" in text


def test_the_readme_prints_what_the_command_prints(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main(["run", "simul-pbm", "--policy", "unirank"])
    printed = capsys.readouterr().out.partition("results in")[0]
    (block,) = re.findall(r"```text\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert [line.strip() for line in printed.splitlines() if line.strip()] == [
        line.strip() for line in block.splitlines() if line.strip()
    ]


@pytest.mark.parametrize("kind", ["policies", "click-models"])
def test_the_readmes_tables_are_the_registries(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["list", kind, "--markdown"])
    heading = f"<!-- unirank list {kind} --markdown -->\n"
    table = (ROOT / "README.md").read_text().split(heading)[1].split("\n\n")[0]
    assert table == capsys.readouterr().out.strip()


def test_the_readme_counts_them_right() -> None:
    counts = f"{len(ur.list_policies())} policies, {len(ur.list_click_models())} click models"
    assert counts in (ROOT / "README.md").read_text()


def test_the_readmes_speeds_are_the_recorded_ones() -> None:
    recorded = (ROOT / "benchmarks" / "policies.txt").read_text().splitlines()
    rows = [re.findall(r"[^│\s]+", line) for line in recorded if line.startswith("│")]
    part = (ROOT / "README.md").read_text().split("## How fast")[1].split("\n## ")[0]
    shown = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| ")]
    assert len(shown) > 5
    for row in shown[1:]:
        assert row in rows


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
        assert target.startswith("https://") or (path.parent / target).exists(), target


def test_the_architecture_draws_the_layers_that_are_enforced() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    layers = config["tool"]["importlinter"]["contracts"][0]["layers"]
    picture = (ROOT / "ARCHITECTURE.md").read_text().split("```")[1]
    places = [picture.index(room) for layer in layers for room in layer.split(" | ")[:1]]
    assert places == sorted(places)
    for room in " | ".join(layers).split(" | "):
        assert room in picture
