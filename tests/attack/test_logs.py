"""The attack on logs judges a log as its reader does."""

from pathlib import Path
from random import Random

import pytest

from tests.attack import logs
from tests.attack.target import Outcome


@pytest.mark.parametrize("format", ["counts", "sessions"])
def test_a_header_that_stands_twice_is_a_row_without_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, format: str
) -> None:
    good = logs.log(format)
    header = good.split("\n", 1)[0]
    monkeypatch.setattr(logs, "rewritten", lambda *_: f"{header}\n{good}".encode())
    assert logs.table(format, Random(0), tmp_path) == Outcome.ACCEPTED
