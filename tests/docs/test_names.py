"""Every public name is documented, and has something to say."""

import inspect
from types import ModuleType

import pytest
from reference_pages.names import ROOMS, name_pages, public

import unirank
from tests.docs.sources import GENERATED
from unirank import click_models, lab, plots, policies

REFERENCE = "\n".join(GENERATED.values())
REGISTERED = {entry.cls for entry in (*policies.registry, *click_models.registry)}


def documented(path: str) -> bool:
    """Whether a directive, or a line that starts with it, describes a name."""
    kinds = ("class", "function", "exception")
    directive = any(f".. auto{kind}:: {path}\n" in REFERENCE for kind in kinds)
    return directive or f"\n`{path}`: " in REFERENCE


@pytest.mark.parametrize("name", unirank.__all__)
def test_a_public_name_is_documented(name: str) -> None:
    thing = getattr(unirank, name)
    if isinstance(thing, ModuleType):
        assert name in ROOMS
        assert f"[unirank.{name}](api/{name}.md)" in GENERATED["api.md"]
    else:
        assert documented(f"unirank.{name}")


@pytest.mark.parametrize("name", unirank.__all__)
def test_a_public_name_has_a_docstring(name: str) -> None:
    thing = getattr(unirank, name)
    own = thing.__doc__
    assert own, f"unirank.{name} has no docstring"
    assert not own.startswith(f"{name}("), f"unirank.{name} has only the docstring of a dataclass"


@pytest.mark.parametrize("room", [lab, plots], ids=lambda room: room.__name__)
def test_a_room_documents_what_it_offers(room: ModuleType) -> None:
    offered = public(room)
    assert offered
    for path, thing in offered.items():
        assert documented(path)
        assert inspect.getdoc(thing)


def test_figures_are_documented_wherever_they_are_drawn() -> None:
    page = name_pages()["api/plots.md"]
    for path in ("regret_curve.plot_regret", "difference.plot_differences", "saving.save_figure"):
        assert f".. autofunction:: unirank.plots.{path}\n" in page


def test_a_room_keeps_its_private_things() -> None:
    assert not [path for room in ROOMS for path in public(getattr(unirank, room)) if "._" in path]
