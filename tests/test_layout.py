"""The tree keeps its shape: a test per file, imports at the top, every component exported."""

import ast
import sys
from pathlib import Path

import pytest

import unirank
from tests.sizes import PACKAGE, SOURCES, TREES

ROOT = PACKAGE.parent


# tests/policies/test_papers.py plays every plain edition, and with it what their papers share.
TESTED_ALONE = [path for path in SOURCES if path.name != "paper.py" and path.parent.name != "plain"]


@pytest.mark.parametrize("path", TESTED_ALONE, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_source_file_has_a_test_file(path: Path) -> None:
    twin = ROOT / "tests" / path.relative_to(PACKAGE).with_name(f"test_{path.name}")
    assert twin.is_file(), f"add {twin.relative_to(ROOT)}"


def test_imports_stand_at_the_top() -> None:
    inside = [
        f"{path.name}:{node.lineno}"
        for path, tree in TREES.items()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert inside == []


def registered_classes(room: str) -> list[str]:
    """Names of the classes of a room that carry `@registry.register(...)`."""
    return [
        node.name
        for path, tree in TREES.items()
        for node in tree.body
        if room in path.relative_to(PACKAGE).parts
        and isinstance(node, ast.ClassDef)
        and any(ast.unparse(d).startswith("registry.register(") for d in node.decorator_list)
    ]


@pytest.mark.parametrize("room", ["policies", "users"])
def test_every_registered_component_is_exported_by_its_room(room: str) -> None:
    missing = set(registered_classes(room)) - set(getattr(unirank, room).__all__)
    assert not missing, f"add to unirank/{room}/__init__.py: {missing}"


def test_no_room_is_called_after_nothing() -> None:
    names = {path.stem for path in PACKAGE.rglob("*")}
    assert not names & {"utils", "util", "common", "helpers", "misc", "core"}


def test_every_plain_edition_is_exported() -> None:
    papers = {f"unirank.policies.{path.parent.name}.paper" for path in PACKAGE.rglob("paper.py")}
    assert papers <= set(sys.modules), f"add to policies/papers.py: {papers - set(sys.modules)}"
