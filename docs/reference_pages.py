"""Pages of the reference that follow from the registries: Sphinx's autodoc writes the rest.

Each page is Markdown, by its path under docs/reference/generated.
"""

import re
import sys
from collections.abc import Collection, Iterable, Sequence
from inspect import cleandoc
from pathlib import Path
from shutil import rmtree
from textwrap import dedent
from types import ModuleType
from typing import Any

from formulas import displayed, in_prose

import unirank
from unirank import checks, click_models, policies
from unirank.cli.list import Listed, listed_rows
from unirank.cli.main import app
from unirank.markdown import markdown_table
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
STEP = re.compile(r"[\w\[\], ]+? {2,}[^ =<>~]")  # the name of a step, then what it does
WHAT = "what it does"
PYTHON = "# Python\n\nPublic names, from `import unirank as ur`; then what the parts offer besides."


def registered() -> list[tuple[str, Entry[Any]]]:
    """Return every policy and click model of the library, with the folder of its page."""
    found: list[tuple[str, Entry[Any]]] = [("policies", entry) for entry in policies.registry]
    found += [("click_models", entry) for entry in click_models.registry]
    return [(folder, e) for folder, e in found if e.cls.__module__.startswith("unirank.")]


def pages() -> dict[str, str]:
    """Return every generated page by its path."""
    return {
        "policies.md": policies_page(),
        "plain_editions.md": PLAIN + "\n".join(map(plain, policies.registry.plain)) + READ_FIRST,
        "click_models.md": click_models_page(),
        "experiments.md": EXPERIMENTS + "".join(map(experiment, unirank.list_experiments())),
        "commands.md": commands(),
        "python.md": f"{PYTHON}\n\n{autodoc('unirank')}{parts()}",
        **{f"{folder}/{entry.name}.md": page(entry) for folder, entry in registered()},
    }


def policies_page() -> str:
    facts = table("policies", ["name", WHAT, "paper", "clicks", "knows", "horizon", "regret"])
    able = list(ABILITIES.values())
    live = table("policies", ["name", *able], only_with=able)
    return f"{POLICIES}\n\n{facts}\n{LIVE}\n\n{live}\n{contents('policies')}"


def click_models_page() -> str:
    models = table("click-models", ["name", WHAT])
    return f"{CLICK_MODELS}\n\n{models}\n{contents('click_models')}"


def write_pages(folder: Path) -> None:
    """Write the pages anew."""
    rmtree(folder, ignore_errors=True)
    for path, text in pages().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def table(kind: Listed, columns: Sequence[str], *, only_with: Collection[str] = ()) -> str:
    """Return columns of the table that `unirank list` prints, with links and typeset bounds.

    Rows that say no in all columns of `only_with` are left out.
    """
    rows = [
        [cell(kind, column, row[column]) for column in columns]
        for row in listed_rows(kind)
        if not only_with or "yes" in (row[column] for column in only_with)
    ]
    return markdown_table(columns, rows) + "\n"


def cell(kind: str, column: str, text: str) -> str:
    if column == "name":
        return f"[{text}]({kind.replace('-', '_')}/{text}.md)"
    return in_prose(text) if column == "regret" else text


def commands() -> str:
    """Return the help of every command."""
    text = app.generate_docs(output_format="markdown", recursive=True)
    text = re.sub(r"## Table of Contents.*?(?=\*\*Commands)", "", text, flags=re.DOTALL)
    return text.replace("# unirank\n", "# The command line\n", 1)


def contents(folder: str) -> str:
    names = [f"{folder}/{entry.name}" for where, entry in registered() if where == folder]
    return "```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```\n"


def page(entry: Entry[Any]) -> str:
    """Return the idea of a class, from its module, its plain edition, and the class."""
    name, module = entry.cls.__name__, entry.cls.__module__
    room = "unirank" if getattr(unirank, name, None) is entry.cls else module
    cls = f"```{{eval-rst}}\n.. autoclass:: {room}.{name}\n   :members:\n```\n"
    return f"# {entry.name}\n\n{idea(module)}\n\n{in_plain_python(entry)}## The class\n\n{cls}"


def in_plain_python(entry: Entry[Any]) -> str:
    """Return what the plain edition of a policy says, and its source."""
    editions = {edition.name: edition.cls for edition in policies.registry.plain}
    plain = editions.get(f"plain-{entry.name}")
    if plain is None:
        return ""
    _, _, text = cleandoc(plain.__doc__ or "").partition("\n\n")
    file = plain.__module__.replace(".", "/") + ".py"
    return f"""## In plain Python

{typeset(text)}

<details><summary>Read <code>{file}</code></summary>

```{{literalinclude}} ../../../../{file}
:language: python
:pyobject: {plain.__name__}
```

</details>

"""


def idea(module: str) -> str:
    """Return a module's docstring as Markdown."""
    return typeset(cleandoc(sys.modules[module].__doc__ or ""))


def typeset(docstring: str) -> str:
    """Return a docstring as Markdown: one line per paragraph, formulas as LaTeX."""
    apart = re.compile(r"^(\S.*)\n(?=    )|^(    .*)\n(?=\S)", re.MULTILINE)
    return "\n\n".join(map(typeset_block, apart.sub(r"\1\2\n\n", docstring).split("\n\n")))


def typeset_block(block: str) -> str:
    """Return a paragraph, a formula or the steps of an algorithm as Markdown."""
    lines = dedent(block).split("\n")
    if not block.startswith("    "):
        return prose(lines)
    if STEP.match(lines[0]):
        return "\n\n".join(map(definition, steps(lines)))
    return f"$$\n{displayed(lines)}\n$$"


def prose(lines: Iterable[str]) -> str:
    return in_prose(" ".join(" ".join(lines).split()).replace("*", r"\*"))


def steps(lines: Iterable[str]) -> list[list[str]]:
    """Return the lines of each step; the name of a step stands out to the left of its text."""
    found: list[list[str]] = []
    for line in lines:
        if line.startswith(" "):
            found[-1].append(line)
        else:
            found.append([line])
    return found


def definition(step: Sequence[str]) -> str:
    name, text = re.split(r" {2,}", step[0], maxsplit=1)
    return f"{prose([name])}\n: {prose([text, *step[1:]])}"


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
