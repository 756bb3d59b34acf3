"""Every command line in the documentation is one that works, and none of ours is missing."""

import pytest
from reference_pages.commands import command_pages, option_names

from tests.docs.sources import command_lines
from unirank.cli.main import COMMANDS, app

SHOWN = command_lines()


@pytest.mark.parametrize("words", SHOWN, ids=" ".join)
def test_a_command_line_in_the_documentation_parses(words: list[str]) -> None:
    command, _, unused = app.parse_args(words[1:], exit_on_error=False, print_error=False)
    assert command is COMMANDS[words[1]]
    assert not unused


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_shown_in_use(command: str) -> None:
    assert any(words[1] == command for words in SHOWN)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_shown_in_use(command: str) -> None:
    used = {word for words in SHOWN if words[1] == command for word in words}
    for names in option_names(command):
        assert used & set(names), f"show unirank {command} {names[0]} in docs/how_to"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_reference_has_every_option_with_its_help(command: str) -> None:
    (page,) = command_pages().values()
    _, _, section = page.partition(f"## unirank {command}\n")
    section = section.partition("\n## ")[0]
    assert f"unirank {command}" in section
    for names, help_ in option_names(command).items():
        assert help_, f"unirank {command} {names[0]} has no help"
        assert f"`{names[0]}" in section
        assert " ".join(help_.split()) in " ".join(section.split())
