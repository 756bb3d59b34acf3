"""Pages of the reference that follow from the registries: tables, and a page for each component.

Sphinx's autodoc writes what classes and functions say. Each page here is Markdown, by its path
under docs/reference/generated.
"""

import importlib
import inspect
import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from shutil import rmtree
from typing import Any

from http_page import http_page

import unirank
from unirank import policies, users
from unirank.cli.list import Listed, listed_rows
from unirank.markdown import markdown_table
from unirank.policies import kernels
from unirank.policies.base.facts import ABILITIES
from unirank.registry import Entry

POLICIES = """# Policies

Choose by what your page can tell a policy, then by the regret. *Horizon* says whether it must know
how many rounds there will be. $L$ is the number of items, $K$ of positions, $T$ of rounds;
$\\Delta$ is the difference between items. `unirank list policies` prints the same table.
[Plain editions](plain_editions.md) are the same algorithms in ordinary Python."""
LIVE = """## On a live page

These can choose among the items that are available now, take new items and drop old ones, or merge
copies that learnt apart. The others cannot."""
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
a class (`ur.papers.UniRank`). Tests compare both ranking by ranking. Where they could differ,
the plain edition decides."""
READ_FIRST = """## Read this one first

`unirank/policies/uni_rank/paper.py`, explained step by step in
[How UniRank works](../../explanation/how_unirank_works.md):

```{literalinclude} ../../../unirank/policies/uni_rank/paper.py
:language: python
:start-at: "@policies.registry"
```
"""
KERNELS = """# Kernels

Compiled building blocks for [a policy](../../tutorial/your_own_policy.md) or
[a click model](../../tutorial/your_own_click_model.md) of your own; those marked *Python* are
called from Python. `float64[]` is an array of such numbers. No kernel checks its arguments.

Random numbers have addresses: within a round, the same `draw` always gives the same number, so
take another one for each decision. `top_k` reads the draws 0, 1, ..., n_items - 1 where items tie,
and `shuffle_prefix` those of the places that it fills."""
WHAT = "what it does"
USED = {  # what a program calls of a policy; the rest is for authors of compiled policies
    "Policy": "rank, rank_many, update, click, close, explain, learn, add, remove, removed, merge,"
    " save"
}


def pages() -> dict[str, str]:
    """Return every generated page by its path."""
    return {
        "policies.md": policies_page(),
        "plain_editions.md": plain_editions_page(),
        "click_models.md": click_models_page(),
        "experiments.md": EXPERIMENTS + "".join(map(experiment, unirank.list_experiments())),
        "kernels.md": KERNELS + "".join(map(kernels_of, kernels.__all__)),
        "http.md": http_page(),
        **{f"{folder}/{entry.name}.md": page(entry) for folder, entry in registered()},
    }


def write_pages(folder: Path) -> None:
    """Write the pages anew."""
    rmtree(folder, ignore_errors=True)
    for path, text in pages().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def registered() -> list[tuple[str, Entry[Any]]]:
    """Return every policy and click model of the library, with the folder of its page."""
    found: list[tuple[str, Entry[Any]]] = [("policies", entry) for entry in policies.registry]
    found += [("click_models", entry) for entry in users.registry]
    return [(folder, e) for folder, e in found if e.cls.__module__.startswith("unirank.")]


def documented_names() -> list[str]:
    """Return the names that have pages of their own, so that the page of their room skips them."""
    return sorted({*unirank.__all__, *(entry.cls.__name__ for _, entry in registered())})


def policies_page() -> str:
    facts = table("policies", ["name", WHAT, "paper", "clicks", "knows", "horizon", "regret"])
    able = list(ABILITIES.values())
    live = table("policies", ["name", *able], only_with=able)
    return f"{POLICIES}\n\n{facts}\n{LIVE}\n\n{live}\n{contents('policies')}"


def click_models_page() -> str:
    models = table("click-models", ["name", WHAT])
    return f"{CLICK_MODELS}\n\n{models}\n{contents('click_models')}"


def plain_editions_page() -> str:
    rows = [
        [f"`{e.name}`", f"`ur.papers.{e.cls.__name__}`", f"`{file_of(e.cls)}`", e.summary]
        for e in policies.registry.plain
    ]
    return f"{PLAIN}\n\n{markdown_table(['name', 'class', 'file', WHAT], rows)}\n\n{READ_FIRST}"


def table(kind: Listed, columns: Sequence[str], *, only_with: Collection[str] = ()) -> str:
    """Return columns of the table that `unirank list` prints, with links to pages.

    Rows that say no in all columns of `only_with` are left out.
    """
    folder = kind.replace("-", "_")
    rows = [
        [
            f"[{row['name']}]({folder}/{row['name']}.md)" if column == "name" else row[column]
            for column in columns
        ]
        for row in listed_rows(kind)
        if not only_with or "yes" in (row[column] for column in only_with)
    ]
    return markdown_table(columns, rows) + "\n"


def contents(folder: str) -> str:
    names = [f"{folder}/{entry.name}" for where, entry in registered() if where == folder]
    return "```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```\n"


def page(entry: Entry[Any]) -> str:
    """Return the idea of a class, from its module, the class, and its plain edition."""
    idea = as_markdown(inspect.cleandoc(sys.modules[entry.cls.__module__].__doc__ or ""))
    name = entry.cls.__name__
    room = "unirank" if name in unirank.__all__ else "unirank.policies"
    cls = f"```{{eval-rst}}\n.. autoclass:: {room}.{name}\n   :members:\n```"
    base = "Policy" if issubclass(entry.cls, policies.Policy) else "ClickModel"
    more = f"It has all that every [{base}](../python/unirank.{base}.rst) has."
    return f"# {entry.name}\n\n{idea}\n\n## The class\n\n{more}\n\n{cls}\n{in_plain_python(entry)}"


def in_plain_python(entry: Entry[Any]) -> str:
    """Return what the plain edition of a policy says, and its source."""
    editions = {edition.name: edition.cls for edition in policies.registry.plain}
    plain = editions.get(f"plain-{entry.name}")
    if plain is None:
        return ""
    _, _, text = inspect.cleandoc(plain.__doc__ or "").partition("\n\n")
    return f"""
## In plain Python

{as_markdown(text)}

<details><summary>Read <code>{file_of(plain)}</code></summary>

```{{literalinclude}} ../../../../{file_of(plain)}
:language: python
:pyobject: {plain.__name__}
```

</details>
"""


def file_of(cls: type[Any]) -> str:
    return cls.__module__.replace(".", "/") + ".py"


def as_markdown(text: str) -> str:
    """Return a docstring as Markdown: what it indents, formulas and steps, stays as it is."""
    return re.sub(r"^(?!    ).*", lambda line: line[0].replace("*", r"\*"), apart(text), flags=re.M)


def with_literal_blocks(lines: Sequence[str]) -> list[str]:
    """Return a docstring as reStructuredText: what its prose indents stays as it is."""
    prose, *sections = re.split(r"^(?=\w+\n---)", "\n".join(lines), flags=re.MULTILINE)
    marked = re.sub(r"(?<=\n\n)(?=    \S)", "::\n\n", apart(prose))
    return "".join((marked, *sections)).split("\n")


def apart(text: str) -> str:
    """Put a blank line between an indented block and the lines around it."""
    return re.sub(r"^(\S.*)\n(?=    )|^(    .*)\n(?=\S)", r"\1\2\n\n", text, flags=re.MULTILINE)


def experiment(name: str) -> str:
    path = f"../../../unirank/lab/experiments/{name}.toml"
    return f"\n\n## {name}\n\n```{{literalinclude}} {path}\n:language: toml\n```"


def kernels_of(file: str) -> str:
    """Return a definition for each kernel of a file: its signature and its first paragraph."""
    module = importlib.import_module(f"unirank.policies.kernels.{file}")
    entries = ""
    for name, kernel in vars(module).items():
        function = getattr(kernel, "py_func", kernel)
        if name.startswith("_") or not inspect.isfunction(function) or not function.__doc__:
            continue
        if function.__module__ == module.__name__:
            mark = "" if hasattr(kernel, "py_func") else "*Python.* "
            sentence = " ".join(inspect.cleandoc(function.__doc__).split("\n\n")[0].split())
            entries += f"\n`{name}{signature(function)}`\n: {mark}{sentence}\n"
    idea = (module.__doc__ or "").partition("\n")[0]
    return f"\n\n## {file}\n\n{idea}\n{entries}"


def signature(function: Any) -> str:
    """Return arguments and result, each array with the type of its elements."""
    array = re.compile(r"numpy\.ndarray\[tuple\[[^]]*\], numpy\.dtype\[[\w.]*?(\w+)\]\]")
    text = array.sub(r"\1[]", str(inspect.signature(function))).replace("~", "")
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", text)  # names without their modules
