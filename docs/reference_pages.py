"""Pages of the reference that follow from the registries: Sphinx's autodoc writes the rest.

Each page is Markdown, by its path under docs/reference/generated.
"""

import json
import re
import sys
from collections.abc import Collection, Iterable, Sequence
from inspect import cleandoc
from pathlib import Path
from shutil import rmtree
from textwrap import dedent
from types import FunctionType, ModuleType
from typing import Any

from formulas import displayed, in_prose
from kernel_page import kernel_page

import unirank
from unirank import policies, users
from unirank.cli.list import Listed, listed_rows
from unirank.cli.main import app
from unirank.lab import checks
from unirank.markdown import markdown_table
from unirank.policies.base.facts import ABILITIES
from unirank.registry import Entry
from unirank.server.app import DOCUMENT

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
the plain edition decides.

| name | class | file | what it does |
|---|---|---|---|
"""
READ_FIRST = """
## Read this one first

`unirank/policies/uni_rank/paper.py`, explained step by step in
[How UniRank works](../../explanation/how_unirank_works.md):

```{literalinclude} ../../../unirank/policies/uni_rank/paper.py
:language: python
:start-at: "@policies.registry"
```
"""
STEP = re.compile(r"[\w\[\], ]+? {2,}[^ =<>~]")  # the name of a step, then what it does
WHAT = "what it does"
PYTHON = """# Python

Public names, from `import unirank as ur`. [Policies](policies.md) and
[click models](click_models.md) have pages of their own."""
PARTS = """## Parts

What the parts of the library offer besides."""
AUTHORS = """## For authors of policies

What a compiled policy may define, and what the library asks it. A policy in ordinary Python needs
none of this: see [PlainPolicy](PlainPolicy.md)."""
USED = (
    *(
        "rank",
        "rank_many",
        "update",
        "click",
        "close",
        "learn",
        "add",
        "remove",
        "removed",
        "merge",
    ),
    "save",
)  # of a Policy; the rest is for authors of policies
HTTP = """# The HTTP interface

`unirank serve` answers these requests; `/openapi.json` is the same for programs. Bodies and answers
are JSON. A key travels in the header `Authorization: Bearer unirank_...`; reports of clicks need
none. An error is a problem document (RFC 9457) with one sentence: 400 not JSON, 401 no key, 403
another scope, 404 no such page, 409 the page is another one, 413 too large, 422 a value breaks a
rule, 429 too many requests, 503 the database does not answer, or a page is being loaded (try again
after `Retry-After` seconds).

## Requests"""
FIELDS = "| field | type | default | |\n|---|---|---|---|\n"


def registered() -> list[tuple[str, Entry[Any]]]:
    """Return every policy and click model of the library, with the folder of its page."""
    found: list[tuple[str, Entry[Any]]] = [("policies", entry) for entry in policies.registry]
    found += [("click_models", entry) for entry in users.registry]
    return [(folder, e) for folder, e in found if e.cls.__module__.startswith("unirank.")]


def pages() -> dict[str, str]:
    """Return every generated page by its path."""
    return {
        "policies.md": policies_page(),
        "plain_editions.md": PLAIN + "\n".join(map(plain, policies.registry.plain)) + READ_FIRST,
        "click_models.md": click_models_page(),
        "experiments.md": EXPERIMENTS + "".join(map(experiment, unirank.list_experiments())),
        "commands.md": commands(),
        "kernels.md": kernel_page(),
        "http.md": http(),
        "python.md": python_page(),
        **{f"python/{name}.md": public_page(name) for name in public_names()},
        **{f"python/{part}.md": f"# {part}\n\n{autodoc(part)}" for part in parts()},
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


def http() -> str:
    """Return every request to the service and every struct, from its OpenAPI document."""
    text = HTTP
    for path, operations in DOCUMENT["paths"].items():
        for method, operation in operations.items():
            text += f"\n\n### {method.upper()} {path}\n\n{request(operation)}"
    structs = DOCUMENT["components"]["schemas"].items()
    return f"{text}\n\n## What travels\n" + "".join(struct(name, each) for name, each in structs)


def request(operation: dict[str, Any]) -> str:
    """Return what a request needs and what it answers."""
    lines = [f"{operation['summary']}."]
    allowed = operation.get("security", [{}])
    scopes = [scope for needed in allowed for scope in needed.get("key", ())]
    needed = "none needed" if {} in allowed else f"`{scopes[0]}`"
    lines.append(f"Key: {needed}{f' (`{scopes[0]}`)' if {} in allowed and scopes else ''}.")
    for status, answer in operation["responses"].items():
        for media_type, content in answer.get("content", {}).items():
            if status != "default":
                shown = f" {kind(content['schema'])}" if content.get("schema") else ""
                lines.append(f"Answer: {status},{shown or f' `{media_type}`'}.")
    if body := operation.get("requestBody"):
        lines.insert(2, f"Body: {kind(body['content']['application/json']['schema'])}.")
    fields = [p for p in operation["parameters"] if p["in"] == "query"]
    rows = [field(each["name"], each["schema"], each["required"]) for each in fields]
    return " ".join(lines) + ("\n\n" + FIELDS + "\n".join(rows) if rows else "")


def struct(name: str, schema: dict[str, Any]) -> str:
    """Return the fields of a struct."""
    rows = [
        field(each, of, each in schema.get("required", ()))
        for each, of in schema.get("properties", {}).items()
    ]
    text = " ".join(schema.get("description", "").split())
    return f"\n### {name}\n\n{text}\n\n{FIELDS}" + "\n".join(rows) + "\n"


def field(name: str, schema: dict[str, Any], needed: bool) -> str:
    default = "needed" if needed else f"`{json.dumps(schema.get('default'))}`"
    return f"| `{name}` | {kind(schema)} | {default} | {schema.get('description', '')} |"


LIMITS = {
    "minimum": "at least {}",
    "exclusiveMinimum": "above {}",
    "maximum": "at most {}",
    "minLength": "at least {} letters",
    "maxLength": "at most {} letters",
    "minItems": "at least {}",
    "maxItems": "at most {}",
}


def kind(schema: dict[str, Any]) -> str:
    """Return a type as words, with its limits."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(map(kind, schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    limits = [text.format(schema[name]) for name, text in LIMITS.items() if name in schema]
    what = schema.get("type", "anything")
    if schema.get("items"):
        what = f"list of {kind(schema['items'])}"
    if isinstance(schema.get("additionalProperties"), dict):
        what = f"object of {kind(schema['additionalProperties']) or 'anything'}"
    return f"{what} ({', '.join(limits)})" if limits else what


def contents(folder: str) -> str:
    names = [f"{folder}/{entry.name}" for where, entry in registered() if where == folder]
    return "```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```\n"


def page(entry: Entry[Any]) -> str:
    """Return the idea of a class, from its module, its plain edition, and the class."""
    name, module = entry.cls.__name__, entry.cls.__module__
    room = "unirank" if getattr(unirank, name, None) is entry.cls else module
    cls = f"```{{eval-rst}}\n.. autoclass:: {room}.{name}\n   :members:\n```\n"
    base = policies.Policy if issubclass(entry.cls, policies.Policy) else users.ClickModel
    shared = inherited(entry.cls, base, used_names(base))
    parts = [f"# {entry.name}", idea(module), in_plain_python(entry), "## The class", cls, shared]
    return "\n\n".join(part for part in parts if part)


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
    return f"| `{entry.name}` | `ur.papers.{entry.cls.__name__}` | `{file}.py` | {entry.summary} |"


def public_names() -> list[str]:
    """Return the names of `import unirank as ur` that have no page of another kind."""
    elsewhere = {entry.cls.__name__ for _, entry in registered()}
    things = {name: getattr(unirank, name) for name in unirank.__all__ if name not in elsewhere}
    return sorted(
        (n for n, thing in things.items() if not isinstance(thing, ModuleType)), key=str.lower
    )


def parts() -> list[str]:
    """Return the names of the parts of the library."""
    things = [checks, *(getattr(unirank, name) for name in unirank.__all__)]
    return sorted(thing.__name__ for thing in things if isinstance(thing, ModuleType))


def python_page() -> str:
    """Return the table of public names, and that of the parts."""
    names = [[f"[`ur.{n}`](python/{n}.md)", summary(getattr(unirank, n))] for n in public_names()]
    modules = [[f"[`{part}`](python/{part}.md)", summary(sys.modules[part])] for part in parts()]
    tables = [markdown_table(["name", "what it is"], rows) for rows in (names, modules)]
    toctree = "\n".join(f"python/{name}" for name in (*public_names(), *parts()))
    listed = f"```{{toctree}}\n:hidden:\n\n{toctree}\n```\n"
    return f"{PYTHON}\n\n{tables[0]}\n\n{PARTS}\n\n{tables[1]}\n\n{listed}"


def summary(thing: Any) -> str:
    """Return the first sentence of a docstring."""
    return cleandoc(thing.__doc__ or "").split("\n\n")[0].replace("\n", " ").replace("*", r"\*")


def public_page(name: str) -> str:
    """Return the page of one public name."""
    kind = "class" if isinstance(getattr(unirank, name), type) else "function"
    members = "   :members:\n" if kind == "class" else ""
    if name == "Policy":
        return policy_page()
    return f"# {name}\n\n```{{eval-rst}}\n.. auto{kind}:: unirank.{name}\n{members}```\n"


def policy_page() -> str:
    """Return the page of the base class: what its users call, then what its authors write."""
    used = f".. autoclass:: unirank.Policy\n   :members: {', '.join(USED)}\n"
    rest = [name for name in documented(policies.Policy) if name not in USED]
    properties = [n for n in rest if isinstance(getattr(policies.Policy, n), property)]
    kinds = {n: "property" if n in properties else "method" for n in rest}
    methods = "".join(f".. auto{kind}:: unirank.Policy.{n}\n" for n, kind in kinds.items())
    return f"# Policy\n\n```{{eval-rst}}\n{used}```\n\n{AUTHORS}\n\n```{{eval-rst}}\n{methods}```\n"


def inherited(cls: type[Any], base: type[Any], names: Iterable[str]) -> str:
    """Return a table of what a class has from its base, with links."""
    rows = [
        [f"{{py:obj}}`{name} <unirank.{base.__name__}.{name}>`", summary(getattr(base, name))]
        for name in names
        if not getattr(vars(cls).get(name), "__doc__", "")
    ]
    title = f"## From {base.__name__}"
    head = f"Every [{base.__name__}](../python/{base.__name__}.md) has these."
    return f"{title}\n\n{head}\n\n{markdown_table(['name', WHAT], rows)}\n"


def used_names(base: type[Any]) -> list[str]:
    """Return the methods and properties of a base class that its users need."""
    return [n for n in documented(base) if base is not policies.Policy or n in USED]


def documented(base: type[Any]) -> list[str]:
    """Return the public methods and properties of a class, in the order of its source."""
    parts = base.__mro__[:-1] if base is policies.Policy else (base,)  # it is made of several
    return [
        name
        for cls in parts
        for name, thing in vars(cls).items()
        if isinstance(thing, FunctionType | classmethod | property)
        and not name.startswith("_")
        and thing.__doc__
    ]


def autodoc(module: str) -> str:
    """Return the directive for a module: its docstring, and the names that have no other place."""
    elsewhere = {entry.cls.__name__ for _, entry in registered()} | set(unirank.__all__)
    names = "" if module == "unirank.policies.papers" else ", ".join(sorted(elsewhere))
    options = f"   :members:\n   :exclude-members: {names}\n"
    return f"```{{eval-rst}}\n.. automodule:: {module}\n{options}```\n"
