"""The command line, as its own help tells it."""

import re
from functools import reduce

from cyclopts import App

from unirank.cli.main import app

_CONTENTS = re.compile(r"## Table of Contents.*?(?=\*\*Commands)", re.DOTALL)


def command_pages() -> dict[str, str]:
    """One page: every command with its arguments and options."""
    text = app.generate_docs(output_format="markdown", recursive=True)
    text = _CONTENTS.sub("", text)  # the site has its own
    return {"commands.md": text.replace("# unirank\n", "# The command line\n", 1)}


def command_paths(inside: App = app) -> list[tuple[str, ...]]:
    """Every command that does something, by the words that call it: ("data", "fetch")."""
    names = [name for name in inside if not name.startswith("-")]
    return [(name, *path) for name in names for path in (command_paths(inside[name]) or [()])]


def option_names(*path: str) -> dict[tuple[str, ...], str]:
    """Help of every option of a command, by all the names it goes by; arguments are none."""
    command = reduce(lambda outer, name: outer[name], path, app)
    return {
        argument.names: argument.parameter.help or ""
        for argument in command.assemble_argument_collection(parse_docstring=True)
        if argument.index is None and argument.names[0].startswith("--")
    }
