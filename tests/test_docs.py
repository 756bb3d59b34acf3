"""Examples in documents and docstrings run, and links lead somewhere."""

import doctest
import importlib
import pkgutil
import re
import tomllib
from pathlib import Path

import pytest

import unirank as ur

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
    for entry in (*ur.policies.registry, *ur.users.registry):
        assert ">>>" in (entry.cls.__doc__ or ""), f"{entry.name} has no example"


def test_what_the_readme_makes_is_in_the_makefile() -> None:
    made = re.findall(r"^make (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE)
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert len(made) >= 4
    assert set(made) <= set(targets)


def test_the_changelog_begins_with_the_version_and_is_short() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    text = (ROOT / "CHANGELOG.md").read_text()
    _, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    assert sections[0].startswith(f"{version}\n")
    for section in sections:
        assert len(re.findall(r"^- ", section, re.MULTILINE)) <= 40


def test_the_citation_leaves_the_version_to_pyproject() -> None:
    assert "\nversion:" not in (ROOT / "CITATION.cff").read_text()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"(?:\]\(|<img src=\")([^)\"#]+)[)\"#]", path.read_text()):
        assert target.startswith("https://") or (path.parent / target).exists(), target
