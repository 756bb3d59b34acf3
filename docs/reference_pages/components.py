"""Policies and click models, from their registries: a table, and a page for each."""

import sys
from typing import Any

from reference_pages.docstrings import escaped, first_sentence, to_markdown
from unirank import click_models, policies
from unirank.markdown import markdown_table
from unirank.registry import Entry, Registry

POLICY_FACTS = {
    "clicks": "made for clicks",
    "knows": "must know",
    "horizon": "horizon",
    "lists": "shows",
    "regret": "regret",
}
POLICIES = """Which one? Look at what your page can tell a policy, then at the regret.

*Horizon* says whether it must be told how many rounds there will be. *L* is the number of items,
*K* of positions, *T* of rounds; Delta says how different items are. `unirank list policies` prints
the same table."""
CLICK_MODELS = """One row per click model: how simulated people click. [Click models in
pictures](../../explanation/click_models.md) shows them side by side; `unirank list click-models`
prints the same."""


def component_pages() -> dict[str, str]:
    """Two tables, and a page per registered class."""
    return {
        **_family("policies", "Policies", POLICIES, policies.registry, POLICY_FACTS),
        **_family("click_models", "Click models", CLICK_MODELS, click_models.registry, {}),
    }


def ours(registry: Registry[Any]) -> list[Entry[Any]]:
    """What the library itself registers; a user's own module is not ours to document."""
    return [entry for entry in registry if entry.cls.__module__.startswith("unirank.")]


def _family(
    folder: str, title: str, text: str, registry: Registry[Any], facts: dict[str, str]
) -> dict[str, str]:
    """A table of what each does, one of the facts, and the pages."""
    entries = ours(registry)
    links = [f"[{entry.name}]({folder}/{entry.name}.md)" for entry in entries]
    does = [
        [link, first_sentence(entry.cls.__doc__), escaped(entry.facts.get("paper", ""))]
        for link, entry in zip(links, entries, strict=True)
    ]
    known = [
        [link, *(escaped(entry.facts.get(fact, "")) for fact in facts)]
        for link, entry in zip(links, entries, strict=True)
    ]
    columns = ["name", "what it does", "paper"] if facts else ["name", "what it does"]
    parts = [f"# {title}", text]
    parts += (
        [markdown_table(["name", *facts.values()], known), "## What each does"] if facts else []
    )
    parts += [markdown_table(columns, [row[: len(columns)] for row in does])]
    parts += [hidden_toctree("\n".join(f"{folder}/{entry.name}" for entry in entries))]
    return {f"{folder}.md": "\n\n".join(parts)} | {
        f"{folder}/{entry.name}.md": _page(entry, facts) for entry in entries
    }


def _page(entry: Entry[Any], facts: dict[str, str]) -> str:
    """Facts, the idea with its formulas, and the class."""
    title, _, rest = to_markdown(sys.modules[entry.cls.__module__].__doc__).partition("\n\n")
    named = facts | {"paper": "paper"}
    rows = [
        [name, escaped(entry.facts[fact])] for fact, name in named.items() if entry.facts.get(fact)
    ]
    known = f"\n\n{markdown_table(['fact', 'value'], rows)}" if rows else ""
    return (
        f"# {entry.name}\n\n{title}{known}\n\n{rest}\n\n## The class\n\n"
        f"{autodoc('class', f'unirank.{entry.cls.__name__}', members=True)}"
    )


def autodoc(kind: str, name: str, *, members: bool = False) -> str:
    """The directive that writes signature and docstring."""
    options = "   :members:\n   :show-inheritance:\n" if members else ""
    return f"```{{eval-rst}}\n.. auto{kind}:: {name}\n{options}```\n"


def hidden_toctree(entries: str) -> str:
    return f"```{{toctree}}\n:hidden:\n\n{entries}\n```\n"
