"""Items, clicks and chances are written for people."""

import pytest

from unirank.policies.base.words import (
    clicks,
    in_braces,
    in_order,
    joined,
    of_clicks,
    percent,
    short,
    wrapped,
)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (joined(["tea"]), "tea"),
        (joined(["tea", "mug", 3]), "tea, mug and 3"),
        (joined(["tea", "mug"], "or"), "tea or mug"),
        (in_braces(["tea"]), "tea"),
        (in_braces(["tea", 3]), "{tea, 3}"),
        (in_order(["tea", 3]), "tea > 3"),
        (clicks(34.0), "34"),
        (clicks(2.62), "2.6"),
        (clicks(120.4), "120"),
        (of_clicks(1.0), "1 click"),
        (of_clicks(2.62), "2.6 clicks"),
        (percent(0.42), "42 %"),
        (percent(0.00042), "0.04 %"),
        (short(0.4567), "0.46"),
        (short(0.0123), "0.012"),
    ],
)
def test_numbers_are_written_for_people(written: str, text: str) -> None:
    assert written == text


def test_a_long_line_is_broken_and_what_follows_indented_more() -> None:
    first, *others = wrapped("  " + "word " * 40).splitlines()
    assert max(map(len, [first, *others])) <= 100
    assert all(line.startswith("      word") for line in others)
    assert wrapped("  short  ") == "  short  "
