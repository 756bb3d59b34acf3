"""The command can be interrupted before it has begun."""

import subprocess
import sys

import pytest

from unirank._startup import is_command


@pytest.mark.parametrize(
    ("argv", "wanted"),
    [
        (["/usr/bin/python", "/usr/bin/unirank", "list"], True),
        (["unirank", "list"], True),
        (["python", "-P", "-m", "unirank", "list"], True),
        (["python", "-m", "pytest", "unirank"], False),
        (["python", "shop.py", "unirank"], False),
        (["python"], False),
    ],
)
def test_the_command_is_known_by_its_words(argv: list[str], wanted: bool) -> None:
    assert is_command(argv) is wanted


@pytest.mark.parametrize(("words", "wanted"), [(("-m", "unirank"), True), ((), False)])
def test_ctrl_c_while_importing_ends_the_command_only(words: list[str], wanted: bool) -> None:
    code = "import unirank._startup, signal; print(signal.getsignal(2) == signal.SIG_DFL)"
    line = [sys.executable, "-c", code, *words]
    found = subprocess.run(line, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == str(wanted)
