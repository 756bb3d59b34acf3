"""The reference has a page for every policy and click model, and public names say what they are."""

import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from reference_pages import (
    KERNELS,
    USED,
    as_markdown,
    pages,
    registered,
    signature,
    with_literal_blocks,
    write_pages,
)

import unirank
from tests.docs.sources import DOCS, GENERATED
from unirank.policies import kernels
from unirank.registry import Entry

COMPONENTS = registered()
PYTHON = (DOCS / "reference/python.md").read_text()
LISTED = set(re.findall(r"^   ([\w.]+)$", PYTHON, re.MULTILINE))
PARAMETERS = re.compile(r"^Parameters\n-+\n(.*?)(?=^\w+\n-+$|\Z)", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("folder", "entry"), COMPONENTS, ids=[e.name for _, e in COMPONENTS])
def test_a_component_is_in_its_table_and_has_a_page(folder: str, entry: Entry[Any]) -> None:
    table, page = GENERATED[f"{folder}.md"], GENERATED[f"{folder}/{entry.name}.md"]
    assert f"| [{entry.name}]({folder}/{entry.name}.md) | {entry.summary} |" in table
    assert f"\n{folder}/{entry.name}\n" in table
    assert f".{entry.cls.__name__}\n   :members:" in page
    module = sys.modules[entry.cls.__module__].__doc__ or ""
    assert len(module) > len(entry.summary) > 0, f"{entry.cls.__module__} does not say its idea"


def test_a_policy_states_its_facts() -> None:
    for entry in unirank.policies.registry:
        missing = {fact for fact, value in entry.facts.items() if not value} - {"paper"}
        assert not missing, f"{entry.name} does not say {missing}"


@pytest.mark.parametrize("name", unirank.__all__)
def test_a_public_name_has_a_docstring(name: str) -> None:
    own = getattr(unirank, name).__doc__
    assert own, f"unirank.{name} has no docstring"
    assert not own.startswith(f"{name}("), f"unirank.{name} has only the docstring of a dataclass"


def test_every_public_name_stands_on_the_page_of_python() -> None:
    for name in unirank.__all__:
        linked = f"`ur.{name}`" in PYTHON  # a room that has a page of its own
        assert name in LISTED or f"lab.{name}" in LISTED or linked, f"add {name} to python.md"


def public() -> Iterator[tuple[str, Any]]:
    """Every class and function on the page of Python, and the methods of the classes."""
    for name in LISTED:
        room = importlib.import_module(f"unirank.{name}") if find_spec(f"unirank.{name}") else None
        for each in getattr(room, "__all__", ()) if room else (name,):
            thing = getattr(room or unirank, each)
            yield each, thing
            for method, function in vars(thing).items() if inspect.isclass(thing) else ():
                if isinstance(function, FunctionType):
                    yield f"{each}.{method}", function


PUBLIC = list(public())


def test_a_docstring_explains_no_parameter_that_is_not_there() -> None:
    assert len(PUBLIC) > 100
    for name, thing in PUBLIC:
        section = PARAMETERS.search(inspect.cleandoc(thing.__doc__ or ""))
        if callable(thing) and section:
            said = {line.lstrip("*") for line in re.findall(r"^\S.*", section[1], re.MULTILINE)}
            assert said <= set(inspect.signature(thing).parameters), name


def test_every_experiment_and_plain_edition_is_shown() -> None:
    for name in unirank.list_experiments():
        assert f"lab/experiments/{name}.toml" in GENERATED["experiments.md"]
    for entry in unirank.policies.registry.plain:
        assert f"| `{entry.name}` |" in GENERATED["plain_editions.md"]


def test_what_a_docstring_indents_stays_as_it_is() -> None:
    text = "A *star*.\n\n    f_1 * 2\n\nEach round:\n    go  home\nand rest"
    blocks = ["A \\*star\\*.", "    f_1 * 2", "Each round:", "    go  home", "and rest"]
    assert as_markdown(text).split("\n\n") == blocks


def test_what_a_docstring_indents_is_literal_and_its_sections_stay() -> None:
    lines = ["One.", "", "Each round:", "    go  home", "and", "", "    x", "", "Notes", "-----"]
    found = with_literal_blocks([*lines, "a", "    b"])
    assert found[2:9] == ["Each round:", "", "::", "", "    go  home", "", "and"]
    assert found[9:] == ["", "::", "", "    x", "", "Notes", "-----", "a", "    b"]


def test_the_page_of_policies_has_what_programs_call() -> None:
    for name in USED["Policy"].split(", "):
        assert getattr(unirank.Policy, name).__doc__, name


def test_a_policy_shows_its_plain_edition() -> None:
    page = GENERATED["policies/toprank.md"]
    assert "## In plain Python" in page
    assert "unirank/policies/top_rank/paper.py\n:language: python\n:pyobject: TopRank" in page


def test_kernels_have_a_signature_and_a_sentence() -> None:
    page = GENERATED["kernels.md"].removeprefix(KERNELS)
    entries = re.findall(r"^`(.+)`\n: (.*)$", page, re.MULTILINE)
    assert len(entries) > 40
    assert all(text.endswith(".") for _, text in entries)
    assert "top_k(index: float64[], rng: Rng, ranking: int64[]) -> None" in dict(entries)
    assert not [words for words, _ in entries if "ndarray" in words or "numpy" in words]
    assert [*re.findall(r"^## (\w+)$", page, re.MULTILINE)] == kernels.__all__


def test_a_signature_names_no_modules() -> None:
    def example(path: Path, *words: str) -> Iterator[int]:
        raise NotImplementedError

    assert signature(example) == "(path: Path, *words: str) -> Iterator[int]"


def test_pages_are_written_and_stale_ones_removed(tmp_path: Path) -> None:
    (tmp_path / "gone.md").write_text("# gone")
    write_pages(tmp_path)
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.md")}
    assert written == pages().keys()
