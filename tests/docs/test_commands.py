"""Every command line in the documentation is one that works, and none of ours is missing."""

import re

import pytest
from reference_pages.commands import command_pages, command_paths, option_names

from tests.docs.sources import command_lines
from unirank.cli.main import COMMANDS, app

SHOWN = command_lines()
PATHS = command_paths()


def used(path: tuple[str, ...]) -> list[list[str]]:
    """The lines that call a command."""
    return [words for words in SHOWN if app.parse_commands(words[1:])[0] == path]


@pytest.mark.parametrize("words", SHOWN, ids=" ".join)
def test_a_command_line_in_the_documentation_parses(words: list[str]) -> None:
    assert words[1] in COMMANDS
    _, _, unused = app.parse_args(words[1:], exit_on_error=False, print_error=False)
    assert not unused


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_every_command_is_shown_in_use(path: tuple[str, ...]) -> None:
    assert used(path), f"show unirank {' '.join(path)} in docs/how_to/command_line.md"


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_every_option_is_shown_in_use(path: tuple[str, ...]) -> None:
    words = {word for line in used(path) for word in line}
    for names in option_names(*path):
        assert words & set(names), f"show unirank {' '.join(path)} {names[0]} in docs/how_to"


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_the_reference_has_every_option_with_its_help(path: tuple[str, ...]) -> None:
    (page,) = command_pages().values()
    command = " ".join(["unirank", *path])
    (section,) = re.findall(rf"^#+ {command}\n(.*?)(?=^#|\Z)", page, re.DOTALL | re.MULTILINE)
    assert f"```console\n{command} " in section
    for names, help_ in option_names(*path).items():
        assert help_, f"{command} {names[0]} has no help"
        assert f"`{names[0]}" in section
        assert " ".join(help_.split()) in " ".join(section.split())


def test_all_commands_are_in_the_reference() -> None:
    assert {path[0] for path in PATHS} == set(COMMANDS)
