import pytest

from unirank.errors import (
    ArgumentError,
    MissingExtraError,
    StateFileError,
    UnirankError,
    UnknownNameError,
)


@pytest.mark.parametrize("error", [ArgumentError, MissingExtraError, StateFileError])
def test_every_error_is_a_unirank_error(error: type[Exception]) -> None:
    assert issubclass(error, UnirankError)


def test_a_wrong_argument_is_also_a_value_error() -> None:
    assert issubclass(ArgumentError, ValueError)


def test_an_unknown_name_is_a_wrong_argument() -> None:
    assert issubclass(UnknownNameError, ArgumentError)


def test_a_missing_extra_is_also_an_import_error() -> None:
    assert issubclass(MissingExtraError, ImportError)


def test_a_misspelt_name_is_answered_with_the_nearest_one() -> None:
    error = UnknownNameError("policy", "unirnak", ["random", "unirank"])
    assert str(error) == "unknown policy 'unirnak'; did you mean 'unirank'?"


def test_a_name_like_no_other_is_answered_with_all_of_them_in_order() -> None:
    error = UnknownNameError("policy", "zzz", iter(["unirank", "random"]))
    assert str(error) == "unknown policy 'zzz'; one of: random, unirank"


def test_a_name_that_is_no_string_is_answered_too() -> None:
    error = UnknownNameError("policy", 3, ["random"])
    assert str(error) == "unknown policy 3; one of: random"
