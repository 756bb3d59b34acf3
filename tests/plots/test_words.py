"""Names and numbers are short, and names are written as they are."""

import pytest

from unirank.plots.words import counted, listed, short_count, short_name, signed


def test_long_names_are_cut_and_dollars_stay_dollars() -> None:
    assert short_name("tea", 3) == "tea"
    assert short_name(12, 3) == "12"
    assert short_name("a very long name", 6) == "a ver…"
    assert short_name("$x$", 6) == r"\$x\$"


def test_names_that_do_not_fit_are_counted() -> None:
    assert listed("abc", 40) == "a   b   c"
    assert listed("abcdef", 9) == "a   b   c   +3 more"
    assert listed(["far too long for a box", "b"], 3) == "far too long …   +1 more"


def test_numbers_have_a_sign_but_not_a_zero() -> None:
    minus = "\N{MINUS SIGN}"
    written = ["+0.25", f"{minus}0.25", "0.00", "0.00"]
    assert [signed(x) for x in (0.25, -0.25, 0.001, -0.001)] == written


@pytest.mark.parametrize(
    ("number", "written"),
    [(999, "999"), (1000, "1.0k"), (9_950, "10k"), (999_500, "1.0M"), (3_000_000_000, "3G")],
)
def test_counts_are_short(number: int, written: str) -> None:
    assert short_count(number) == written


def test_one_round_is_singular() -> None:
    assert [counted(n, "round") for n in (1, 2000)] == ["1 round", "2,000 rounds"]
