import pytest

from unirank.server.dashboard.formats import (
    DASH,
    MINUS,
    count,
    many,
    percent,
    place,
    rate,
    share,
    signed,
    ticks,
    when,
)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (count(12340.0), "12,340"),
        (many(1, "view"), "1 view"),
        (many(12340, "view"), "12,340 views"),
        (rate(0.4118), "0.412"),
        (rate(None), DASH),
        (signed(0.0412), "+0.041"),
        (signed(-0.0412), f"{MINUS}0.041"),
        (signed(-0.0001), "0.000"),
        (share(-0.412), f"{MINUS}0.41"),
        (share(-0.001), "0.00"),
        (percent(0.42), "42 %"),
        (percent(0.042), "4.2 %"),
        (percent(0.0996), "10 %"),
        (percent(0.0004), "< 0.1 %"),
        (percent(0.0), "0 %"),
        (when(0.0), "1970-01-01T00:00:00+00:00"),
        (place(0.25, 0.0, 2.0), "12.50%"),
        (place(5.0, 0.0, 2.0), "100.00%"),
    ],
)
def test_numbers_are_written_for_people(written: str, text: str) -> None:
    assert written == text


def test_ticks_are_round_and_inside() -> None:
    assert ticks(-0.43, 0.43) == [-0.4, -0.2, 0.0, 0.2, 0.4]
    assert ticks(0.0, 1.4) == [0.0, 0.5, 1.0]
