"""Formats by name, and by what their lines look like."""

import pytest

from tests.logs.reading.writing import kdd_lines, random_sessions, relpred_lines, search_lines
from unirank.errors import UnknownNameError
from unirank.logs.reading.formats import FORMATS, guessed, hint, log_format

SESSIONS = random_sessions(20, seed=1)


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (relpred_lines(SESSIONS), "yandex-relpred"),
        (search_lines(SESSIONS), "yandex-search"),
        (kdd_lines(SESSIONS), "kdd"),
        (["session,query,position,item,click", "1,2,3,4,0"], "sessions"),
        (["query;item;position;impressions;clicks"], "counts"),
        (["once upon a time"], None),
    ],
)
def test_formats_are_guessed(lines: list[str], name: str | None) -> None:
    assert guessed(lines) == name


def test_hint_only_where_it_helps() -> None:
    lines = kdd_lines(SESSIONS)
    assert hint(lines, "sessions") == "; this looks like kdd: pass --format kdd"
    assert hint(lines, "kdd") == hint(["x"], "kdd") == ""


def test_names_and_what_they_hold() -> None:
    assert [known.name for known in FORMATS.values()] == list(FORMATS)
    assert {known.holds for known in FORMATS.values()} == {"sessions", "counts"}
    with pytest.raises(UnknownNameError, match=r"did you mean 'yandex-relpred'"):
        log_format("yandex-relpre")
