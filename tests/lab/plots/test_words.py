"""Names and numbers are short, and names are written as they are."""

import pytest

from unirank.lab.plots.words import counted, listed, short_count, short_name, short_names, signed


def test_long_names_are_cut_and_dollars_stay_dollars() -> None:
    assert short_name("tea", 3) == "tea"
    assert short_name(12, 3) == "12"
    assert short_name("a very long name", 6) == "a ver…"
    assert short_name("$x$", 6) == r"\$x\$"


@pytest.mark.parametrize(
    ("items", "names"),
    [
        (["tea", 12, "$x$"], ["tea", "12", r"\$x\$"]),
        (["a very long name", "tea"], ["a very l…", "tea"]),
        (["product number 1", "product number 17"], ["…number 1", "…umber 17"]),
        (["shirt, size L, green", "shirt, size M, green"], ["…L, green", "…M, green"]),
        (["size L of the shirt", "size M of the shirt"], ["size L o…", "size M o…"]),
        (["the red shirt, size L", "the red shirt, size M", "the red shoe"],
         ["…, size L", "…, size M", "…red shoe"]),
    ],
)  # fmt: skip
def test_names_are_cut_so_that_they_differ(items: list[int | str], names: list[str]) -> None:
    assert list(short_names(items, 9).values()) == names


def test_names_that_do_not_fit_are_counted() -> None:
    assert listed("abc", 40) == "a   b   c"
    assert listed("abcdef", 9) == "a   b   c   +3 more"
    assert listed(["too long", "b"], 3) == "too long   +1 more"


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
