"""A module's docstring as Markdown: paragraphs, and its indented formulas as they stand."""

import re
from inspect import cleandoc
from itertools import groupby

_CODE = re.compile(r"(`[^`]*`)")
_SPECIAL = re.compile(r"([\\*_<>\[\]#|])")


def to_markdown(docstring: str | None) -> str:
    """Paragraphs with nothing in them taken for markup, and indented lines as blocks of text."""
    blocks = []
    for formula, lines in groupby(_marked(cleandoc(docstring or "")), key=lambda line: line[0]):
        text = "\n".join(line for _, line in lines).strip("\n")
        if text.strip():
            blocks.append(f"```text\n{cleandoc(text)}\n```" if formula else _paragraphs(text))
    return "\n\n".join(blocks)


def first_sentence(docstring: str | None) -> str:
    """The first line, which is a sentence."""
    return escaped(cleandoc(docstring or "").split("\n")[0].rstrip("."))


def escaped(text: str) -> str:
    """Text in which only code between backticks means anything to Markdown."""
    parts = _CODE.split(text)
    return "".join(p if p.startswith("`") else _SPECIAL.sub(r"\\\1", p) for p in parts)


def _marked(text: str) -> list[tuple[bool, str]]:
    """Lines, each with whether it is part of a formula; blank ones go with the line before."""
    marked: list[tuple[bool, str]] = []
    for line in text.splitlines():
        inside = line.startswith("    ") if line.strip() else bool(marked and marked[-1][0])
        marked.append((inside, line))
    return marked


def _paragraphs(text: str) -> str:
    """One line each, so that no wrapped line starts with what Markdown takes for a list."""
    return "\n\n".join(escaped(" ".join(p.split())) for p in re.split(r"\n\s*\n", text))
