"""Standard error says what is compiled, and nothing about callees."""

from types import SimpleNamespace
from typing import Any

import pytest

from unirank.cli.compile_notice import CompileNotice


@pytest.mark.parametrize(
    ("compiled", "line"),
    [
        ("serve.unirank", "compiling unirank, once for this machine\n"),
        (
            "play_rounds.unirank.pbm",
            "compiling the games of unirank on pbm, once for this machine\n",
        ),
        ("serve.Mine@my_module", "compiling Mine, once for this machine\n"),
        ("elicit", ""),
        ("ol_max.<locals>.impl", ""),
    ],
)
def test_only_whole_policies_are_announced(capsys: Any, compiled: str, line: str) -> None:
    kernel = SimpleNamespace(__qualname__=compiled)
    CompileNotice().on_start(SimpleNamespace(data={"dispatcher": kernel}))
    assert capsys.readouterr().err == line
