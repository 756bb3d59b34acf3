"""Every command line in the documentation parses, and every command and option is shown in use."""

from functools import reduce

import pytest
from cyclopts import App

from tests.docs.sources import command_lines
from unirank.cli.main import COMMANDS, app


def command_paths(inside: App = app) -> list[tuple[str, ...]]:
    """Every command that does something, by the words that call it: ("data", "fetch")."""
    names = [name for name in inside if not name.startswith("-")]
    return [(name, *path) for name in names for path in (command_paths(inside[name]) or [()])]


def options_of(path: tuple[str, ...]) -> dict[tuple[str, ...], str]:
    """The help of every option of a command, by all its names."""
    command = reduce(lambda outer, name: outer[name], path, app)
    return {
        argument.names: argument.parameter.help or ""
        for argument in command.assemble_argument_collection(parse_docstring=True)
        if argument.index is None and argument.names[0].startswith("--")
    }


SHOWN = command_lines()
PATHS = command_paths()


def test_command_lines_in_the_documentation_parse() -> None:
    assert {path[0] for path in PATHS} == set(COMMANDS)
    for words in SHOWN:
        assert words[1] in COMMANDS, words
        _, _, unused = app.parse_args(words[1:], exit_on_error=False, print_error=False)
        assert not unused, words


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_a_command_and_its_options_have_help_and_are_shown_in_use(path: tuple[str, ...]) -> None:
    lines = [words for words in SHOWN if app.parse_commands(words[1:])[0] == path]
    assert lines, f"show unirank {' '.join(path)} in docs/how_to/command_line.md"
    words = {word for line in lines for word in line}
    for names, help_ in options_of(path).items():
        assert help_, f"{path} {names[0]} has no help"
        assert words & set(names), f"show unirank {' '.join(path)} {names[0]} in docs/how_to"
