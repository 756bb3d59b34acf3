import pytest

from unirank.errors import (
    ArgumentError,
    MissingExtraError,
    StateFileError,
    UnirankError,
    UnknownNameError,
)


@pytest.mark.parametrize(
    "error", [ArgumentError, UnknownNameError, MissingExtraError, StateFileError]
)
def test_every_error_is_a_unirank_error(error: type[Exception]) -> None:
    assert issubclass(error, UnirankError)
    assert issubclass(error, ImportError if error is MissingExtraError else ValueError)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n    ", "\v", "\x85", "\u2028"])
def test_the_text_is_one_line_whatever_it_quotes(end: str) -> None:
    assert str(ArgumentError(f"x must be a number, got [1{end}2]")) == (
        "x must be a number, got [1 2]"
    )


def test_a_misspelt_name_is_answered_with_the_nearest_one() -> None:
    error = UnknownNameError("policy", "unirnak", ["random", "unirank"])
    assert str(error) == "unknown policy 'unirnak'; did you mean 'unirank'?"


def test_a_name_like_no_other_is_answered_with_all_of_them_in_order() -> None:
    error = UnknownNameError("policy", "zzz", iter(["unirank", "random"]))
    assert str(error) == "unknown policy 'zzz'; one of: random, unirank"
