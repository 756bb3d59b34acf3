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


def test_a_misspelt_name_is_answered_with_the_nearest_one() -> None:
    error = UnknownNameError("policy", "unirnak", ["random", "unirank"])
    assert str(error) == "unknown policy 'unirnak'; did you mean 'unirank'?"


def test_a_name_like_no_other_is_answered_with_all_of_them_in_order() -> None:
    error = UnknownNameError("policy", "zzz", iter(["unirank", "random"]))
    assert str(error) == "unknown policy 'zzz'; one of: random, unirank"
