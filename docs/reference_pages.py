"""Pages of the reference that follow from the registries: Sphinx's autodoc writes the rest.

Each page is Markdown, by its path under docs/reference/generated.
"""

import json
import re
import sys
from contextlib import redirect_stdout
from inspect import cleandoc
from io import StringIO
from pathlib import Path
from shutil import rmtree
from types import ModuleType
from typing import Any

import unirank
from unirank import checks, click_models, policies
from unirank.cli.main import app
from unirank.registry import Entry
from unirank.server.app import DOCUMENT

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
HTTP = """# The HTTP interface

`unirank serve` answers these requests; `/openapi.json` is the same for programs. Bodies and answers
are JSON. A key travels in the header `Authorization: Bearer unirank_...`; reports of clicks need
none. An error is a problem document (RFC 9457) with one sentence: 400 not JSON, 401 no key, 403
another scope, 404 no such page, 409 the page is another one, 413 too large, 422 a value breaks a
rule, 429 too many requests, 503 the database does not answer (try again after `Retry-After`
seconds).

## Requests"""
FIELDS = "| field | type | default | |\n|---|---|---|---|\n"
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
        "http.md": http(),
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
