"""Pages of the reference that follow from the registries: Sphinx's autodoc writes the rest.

Each page is Markdown, by its path under docs/reference/generated.
"""

import re
import sys
from contextlib import redirect_stdout
from inspect import cleandoc
from io import StringIO
from pathlib import Path
from shutil import rmtree
from types import ModuleType
from typing import Any

from kernel_page import kernel_page

import unirank
from unirank import checks, click_models, policies
from unirank.cli.main import app
from unirank.registry import Entry

POLICIES = """# Policies

Choose by what your page can tell a policy, then by the regret. *Horizon* says whether it must know
how many rounds there will be. *L* is the number of items, *K* of positions, *T* of rounds; Delta is
the difference between items. `unirank list policies` prints the same table.
[Plain editions](plain_editions.md) are the same algorithms in ordinary Python."""
CLICK_MODELS = """# Click models

How simulated people click. [Click models in pictures](../../explanation/click_models.md) shows them
side by side; `unirank list click-models` prints the same table."""
EXPERIMENTS = """# Experiments

An experiment is a question in one TOML file. `unirank run NAME` plays it; a file of your own works,
too: `unirank run my_question.toml`."""
PLAIN = """# Plain editions

Each is the algorithm as its paper states it, in ordinary Python and numpy. Read it first; read the
compiled edition to see how it is made fast. A plain edition works wherever the compiled one does,
only slower: by the name in the first column (`unirank run simul-pbm --policy plain-unirank`) or as
a class (`ur.plain.UniRank`). Tests compare both ranking by ranking. Where they could differ,
the plain edition decides.

| name | class | file | what it does |
|---|---|---|---|
"""
READ_FIRST = """
## Read this one first

`unirank/plain/uni_rank.py`, explained step by step in
[How UniRank works](../../explanation/how_unirank_works.md):

```{literalinclude} ../../../unirank/plain/uni_rank.py
:language: python
:start-at: "@policies.registry"
```
"""
PYTHON = "# Python\n\nPublic names, from `import unirank as ur`; then what the parts offer besides."


def registered() -> list[tuple[str, Entry[Any]]]:
    """Return every policy and click model of the library, with the folder of its page."""
    found: list[tuple[str, Entry[Any]]] = [("policies", entry) for entry in policies.registry]
    found += [("click_models", entry) for entry in click_models.registry]
    return [(folder, e) for folder, e in found if e.cls.__module__.startswith("unirank.")]


def pages() -> dict[str, str]:
    """Return every generated page by its path."""
    return {
        "policies.md": f"{POLICIES}\n\n{table('policies')}\n{contents('policies')}",
        "plain_editions.md": PLAIN + "\n".join(map(plain, policies.registry.plain)) + READ_FIRST,
        "click_models.md": f"{CLICK_MODELS}\n\n{table('click-models')}\n{contents('click_models')}",
        "experiments.md": EXPERIMENTS + "".join(map(experiment, unirank.list_experiments())),
        "commands.md": commands(),
        "kernels.md": kernel_page(),
        "python.md": f"{PYTHON}\n\n{autodoc('unirank')}{parts()}",
        **{f"{folder}/{entry.name}.md": page(entry) for folder, entry in registered()},
    }


def write_pages(folder: Path) -> None:
    """Write the pages anew."""
    rmtree(folder, ignore_errors=True)
    for path, text in pages().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def table(kind: str) -> str:
    """Return the table that the command line prints, with a link for each name."""
    printed = StringIO()
    with redirect_stdout(printed):
        app(["list", kind, "--markdown"], result_action="return_value")
    links = rf"| [\1]({kind.replace('-', '_')}/\1.md) |"
    return re.sub(r"^\| `([\w-]+)` \|", links, printed.getvalue(), flags=re.MULTILINE)


def commands() -> str:
    """Return the help of every command."""
    text = app.generate_docs(output_format="markdown", recursive=True)
    text = re.sub(r"## Table of Contents.*?(?=\*\*Commands)", "", text, flags=re.DOTALL)
    return text.replace("# unirank\n", "# The command line\n", 1)


def contents(folder: str) -> str:
    names = [f"{folder}/{entry.name}" for where, entry in registered() if where == folder]
    return "```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```\n"


def page(entry: Entry[Any]) -> str:
    """Return the idea of a class, from its module, and the class."""
    name, module = entry.cls.__name__, entry.cls.__module__
    room = "unirank" if getattr(unirank, name, None) is entry.cls else module
    cls = f"```{{eval-rst}}\n.. autoclass:: {room}.{name}\n   :members:\n```\n"
    return f"# {entry.name}\n\n{idea(module)}\n\n## The class\n\n{cls}"


def idea(module: str) -> str:
    """Return a module's docstring as Markdown: one line per paragraph, formulas as they stand."""
    text = cleandoc(sys.modules[module].__doc__ or "")
    text = re.sub(r"^(\S.*)\n(?=    )", r"\1\n\n", text, flags=re.MULTILINE)
    blocks = (b if b.startswith("    ") else " ".join(b.split()) for b in text.split("\n\n"))
    return "\n\n".join(b if b.startswith("    ") else b.replace("*", r"\*") for b in blocks)


def experiment(name: str) -> str:
    path = f"../../../unirank/lab/experiments/{name}.toml"
    return f"\n\n## {name}\n\n```{{literalinclude}} {path}\n:language: toml\n```"


def plain(entry: Entry[Any]) -> str:
    file = entry.cls.__module__.replace(".", "/")
    return f"| `{entry.name}` | `ur.plain.{entry.cls.__name__}` | `{file}.py` | {entry.summary} |"


def parts() -> str:
    """Return a section for each part of the library, with the names that the top does not have."""
    things = [checks, *(getattr(unirank, name) for name in unirank.__all__)]
    names = sorted(thing.__name__ for thing in things if isinstance(thing, ModuleType))
    return "\n".join(f"## {name}\n\n{autodoc(name)}" for name in names)


def autodoc(module: str) -> str:
    """Return the directive for a module: its docstring, and the names that have no other place."""
    elsewhere = {entry.cls.__name__ for _, entry in registered()}
    if module != "unirank":
        elsewhere |= set(unirank.__all__)
    names = "" if module == "unirank.plain" else ", ".join(sorted(elsewhere))
    options = f"   :members:\n   :exclude-members: {names}\n"
    return f"```{{eval-rst}}\n.. automodule:: {module}\n{options}```\n"
