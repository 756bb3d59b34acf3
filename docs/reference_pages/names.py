"""Public names, room by room: what each room says of itself, then its classes and functions."""

import importlib
import inspect
import pkgutil
import sys
from types import ModuleType
from typing import Any

import unirank
from reference_pages.components import autodoc, hidden_toctree
from reference_pages.docstrings import first_sentence, to_markdown
from unirank import click_models, policies
from unirank.markdown import markdown_table

# In the order in which one meets them.
ROOMS = (
    "policies",
    "click_models",
    "simulation",
    "lab",
    "plots",
    "datasets",
    "logs",
    "theory",
    "checks",
    "unimodal",
    "matching",
    "registry",
    "errors",
    "kernels",
)
INTRODUCTION = "Public names by room, from `import unirank as ur`."


def name_pages() -> dict[str, str]:
    """An index, and a page per room that has public names."""
    rooms = {name: importlib.import_module(f"unirank.{name}") for name in ROOMS}
    filled = {name: room for name, room in rooms.items() if public(room)}
    rows = [[f"[unirank.{n}](api/{n}.md)", first_sentence(r.__doc__)] for n, r in filled.items()]
    toctree = hidden_toctree("\n".join(f"api/{name}" for name in filled))
    top = "\n".join(autodoc("function", f"unirank.{name}") for name in own_functions())
    index = f"# Python\n\n{INTRODUCTION}\n\n{markdown_table(['room', 'what is in it'], rows)}\n\n"
    return {"api.md": f"{index}## At the top\n\n{top}\n{toctree}"} | {
        f"api/{name}.md": _page(name, room) for name, room in filled.items()
    }


def public(room: ModuleType) -> dict[str, Any]:
    """What a room offers, by its shortest path: what it exports, and functions that draw.

    A room without a list of exports offers what is written in it: a file its classes and functions,
    a folder its files.
    """
    here = room.__name__
    exported = getattr(room, "__all__", None) or [
        name for name, thing in vars(room).items() if getattr(thing, "__module__", "") == here
    ]
    found = {f"{here}.{name}": getattr(room, name) for name in exported if name[0] != "_"}
    if here == "unirank.plots":
        found = drawing(files_of(room)) | found
    return {shortest(path, thing): thing for path, thing in found.items()} or files_of(room)


def files_of(room: ModuleType) -> dict[str, ModuleType]:
    """The modules in a folder, by their path; none in a file."""
    names = [each.name for each in pkgutil.iter_modules(getattr(room, "__path__", []))]
    paths = [f"{room.__name__}.{name}" for name in names]
    return {path: importlib.import_module(path) for path in paths}


def drawing(files: dict[str, ModuleType]) -> dict[str, Any]:
    """The functions that make or save a figure, where they are written."""
    return {
        f"{path}.{name}": thing
        for path, module in files.items()
        for name, thing in vars(module).items()
        if name.startswith(("plot_", "save_")) and thing.__module__ == path
    }


def shortest(path: str, thing: Any) -> str:
    """How users write a name: without its room, where `unirank` exports it too."""
    name = path.split(".")[-1]
    return f"unirank.{name}" if getattr(unirank, name, None) is thing else path


def own_functions() -> list[str]:
    """Functions of `unirank` that no room exports."""
    elsewhere = {path for name in ROOMS for path in public(sys.modules[f"unirank.{name}"])}
    return [
        name
        for name in unirank.__all__
        if inspect.isfunction(getattr(unirank, name)) and f"unirank.{name}" not in elsewhere
    ]


def _page(name: str, room: ModuleType) -> str:
    linked = {entry.cls for entry in (*policies.registry, *click_models.registry)}
    things = sorted(
        public(room).items(), key=lambda e: (e[1] in linked, inspect.isclass(e[1]), e[0])
    )
    documented = "\n\n".join(_described(path, thing) for path, thing in things)
    return f"# unirank.{name}\n\n{to_markdown(room.__doc__)}\n\n{documented}\n"


def _described(path: str, thing: Any) -> str:
    """Functions and classes in full; a registered class has its own page."""
    for folder, registry in (
        ("policies", policies.registry),
        ("click_models", click_models.registry),
    ):
        for entry in registry:
            if entry.cls is thing:
                return f"[`{path}`](../{folder}/{entry.name}.md): {first_sentence(thing.__doc__)}."
    if inspect.isclass(thing):
        error = issubclass(thing, BaseException)
        return autodoc("exception" if error else "class", path, members=not error)
    if inspect.isroutine(thing):
        return autodoc("function", path)
    return f"`{path}`: {first_sentence(thing.__doc__)}."
