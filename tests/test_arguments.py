"""Every rule returns plain values, or an error that names the argument, the rule and the value."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from unirank import arguments
from unirank.errors import ArgumentError, UnknownNameError

NAN, INFINITE = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("rule", "values", "kind"),
    [
        (lambda value: arguments.integer("n", value, 1, 3), [1, 3, np.int64(2), np.uint8(3)], int),
        (lambda value: arguments.integer("n", value, 1), [1, 2**63 - 1], int),
        (arguments.seed, [0, 2**63 - 1], int),
        (lambda value: arguments.horizon("horizon", value), [1, 10**12], int),
        (lambda value: arguments.positive("x", value), [1, 0.5, np.float64(2.5)], float),
        (lambda value: arguments.non_negative("x", value), [0, 0.0, 1, np.float64(2.5)], float),
        (lambda value: arguments.probability("x", value), [0, 1, 0.25, Fraction(1, 4)], float),
    ],
)  # fmt: skip
def test_a_number_is_returned_as_a_plain_one(rule: Any, values: list[Any], kind: type) -> None:
    for value in values:
        assert rule(value) == value
        assert type(rule(value)) is kind


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (0, "n_positions must be in 1..n_items=3, got 0"),
        (4, "n_positions must be in 1..n_items=3, got 4"),
        (2.0, "n_positions must be an integer in 1..n_items=3, got 2.0"),
        (True, "n_positions must be an integer in 1..n_items=3, got True"),
        ("2", "n_positions must be an integer in 1..n_items=3, got '2'"),
    ],
)
def test_what_is_no_integer_in_range_is_refused(value: object, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        arguments.integer("n_positions", value, 1, 3, "n_items=")
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("rule", "wrong", "sentence"),
    [
        (arguments.positive, [0, -1.5, NAN, INFINITE, True, "1", None], "must be a number > 0"),
        (arguments.non_negative, [-1e-9, NAN, INFINITE, True, "1"], "must be a number >= 0"),
        (lambda _, value: arguments.seed(value), [-1, 2**63], "seed must be in 0..2?"),
        (arguments.horizon, [0, -3, 2**60 + 1, 1e6, True, "long"], "x must be"),
        (lambda name, v: arguments.integer(name, v, 1), [0], "x must be >= 1, got 0"),
        (lambda name, v: arguments.integer(name, v, 1), [int], "x must be an integer >= 1, got"),
        (lambda name, v: arguments.integer(name, v, 1), [2**63], "x must be below 2**63, got"),
        (arguments.number, [10**400, int], "x must be a number, got"),
        (arguments.probability, [[0.5], range(10**9)], "x must be a number in [0, 1]"),
        (arguments.plain_list, [3, "ab", np.array(3), {"a": 1}, int], "x must be a list, got"),
        (arguments.path, [0, None, b"x", ["x"]], "x must be a path, got"),
    ],
)
def test_other_numbers_are_refused_with_the_value(
    rule: Any, wrong: list[object], sentence: str
) -> None:
    for value in wrong:
        with pytest.raises(ArgumentError) as caught:
            rule("x", value)
        assert sentence.removesuffix("2?") in str(caught.value)
        assert str(caught.value).endswith(f"got {arguments.shown(value)}")


def test_a_value_in_a_message_is_short_and_always_possible() -> None:
    assert arguments.shown("tea") == "'tea'"
    assert arguments.shown("tea" * 100, 6) == "'teate'... (300 letters)"
    assert arguments.shown([0] * 1000) == "[" + "0, " * 66 + "0..."
    assert arguments.shown(10**10_000) == "a value of type int"  # Python refuses to write it


def test_lists_are_refused_before_they_take_memory() -> None:
    for rule in (arguments.plain_list, arguments.probabilities):
        with pytest.raises(ArgumentError, match=r"^x must have at most 10,000,000, got 1,000,000"):
            rule("x", range(10**9))
    with pytest.raises(ArgumentError, match=r"^x must be a permutation of 0..2, got range"):
        arguments.permutation("x", range(10**9), 3)


@pytest.mark.parametrize("value", [[], (1, 2), np.zeros(2), iter([1]), {"a": 1}, {1}])
def test_what_has_elements_is_a_list(value: object) -> None:
    assert arguments.is_list(value)


@pytest.mark.parametrize("value", [1, "ab", b"ab", np.array(3), None, int, object()])
def test_what_has_no_elements_is_no_list(value: object) -> None:
    assert not arguments.is_list(value)


def test_an_array_is_no_choice() -> None:
    with pytest.raises(UnknownNameError, match="unknown colour"):
        arguments.choice("colour", np.array(["red"]), ["red", "green"])


@pytest.mark.parametrize("values", [[2, 0, 1], (2, 0, 1), np.array([2, 0, 1], np.uint8)])
def test_a_permutation_is_returned_as_a_list_of_ints(values: Any) -> None:
    numbers = arguments.permutation("order", values, 3)
    assert numbers == [2, 0, 1]
    assert {type(number) for number in numbers} == {int}


@pytest.mark.parametrize(
    "values", [[0, 1], [0, 1, 1], [1, 2, 3], [0, 1, 2, 3], [0, 1, 2.0], 3, "ab"]
)
def test_what_is_no_permutation_is_refused(values: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        arguments.permutation("order", values, 3)
    assert str(caught.value) == f"order must be a permutation of 0..2, got {values!r}"


def test_an_unknown_choice_is_answered_with_the_nearest() -> None:
    assert arguments.choice("early", "leader", ("leader", "explore")) == "leader"
    with pytest.raises(UnknownNameError, match=r"^unknown early 'lead'; did you mean 'leader'\?$"):
        arguments.choice("early", "lead", ("leader", "explore"))


def test_probabilities_are_a_read_only_copy_of_floats() -> None:
    given = np.array([0, 1])
    array = arguments.probabilities("attraction", given)
    given[0] = 1
    assert array.tolist() == [0.0, 1.0]
    assert array.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 0.5


@pytest.mark.parametrize(
    ("values", "shape", "sentence"),
    [
        (["often"], (1,), "x must be numbers in [0, 1], got ['often']"),
        ([1.5], (1,), "x must be in [0, 1], got 1.5"),
        ([], (None,), "x must not be empty, got shape (0,)"),
        (0.5, (None,), "x must have shape n, got shape ()"),
        ([[0.5]], (None,), "x must have shape n, got shape (1, 1)"),
        ([0.5, -1e-9], (None,), "x[1] must be in [0, 1], got -1e-09"),
        ([NAN, 2], (None,), "x[0] must be in [0, 1], got nan"),
        ([[0.1, 0.2], [0.3]], (None,), "x must be numbers in [0, 1], got [[0.1, 0.2], [0.3]]"),
        ([0.1, 0.2], (2, None), "x must have shape 2 x n, got shape (2,)"),
        ([[], []], (2, None), "x must not be empty, got shape (2, 0)"),
        ([[0.1, 0.2], [0.3, 7]], (2, None), "x[1][1] must be in [0, 1], got 7"),
    ],
)
def test_an_error_in_probabilities_says_where_and_why(
    values: Any, shape: tuple[int | None, ...], sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        arguments.probabilities("x", values, shape)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (["much"], "x must be numbers, got ['much']"),
        ([1.0, NAN], "x[1] must be a number, got nan"),
        ([], "x must not be empty, got shape (0,)"),
        ([[-3.0, 2e300]], "x must have shape n, got shape (1, 2)"),
    ],
)
def test_numbers_may_be_anything_but_infinite(values: Any, sentence: str) -> None:
    assert arguments.numbers("x", [-3, 2e300]).tolist() == [-3.0, 2e300]
    with pytest.raises(ArgumentError) as caught:
        arguments.numbers("x", values)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("items", "ids"),
    [
        (np.int64(2), (0, 1)),
        ([7, "x"], (7, "x")),
        (np.array([5, 4]), (5, 4)),
        ((name for name in "ab"), ("a", "b")),
    ],
)
def test_items_are_a_count_or_their_ids(items: object, ids: tuple[int | str, ...]) -> None:
    found = arguments.item_ids(items)
    assert found == ids
    assert {type(item) for item in found} <= {int, str}


@pytest.mark.parametrize(
    ("items", "sentence"),
    [
        (0, "items must be >= 1, got 0"),
        ([], "items must not be empty, got []"),
        ("abc", "items must be a count or a list of ids, got 'abc'"),
        (True, "items must be a count or a list of ids, got True"),
        (["a", "b", "a"], "items must be unique, got 'a' twice"),
        (["a", 1.5], "items must be strings or integers, got 1.5"),
        (["a", True], "items must be strings or integers, got True"),
        ([2**70], f"items must be in -9223372036854775808..9223372036854775807, got {2**70}"),
        (["\ud800"], "items must be Unicode text, got '\\ud800'"),
    ],
)
def test_an_error_in_the_items_says_which_and_why(items: object, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        arguments.item_ids(items)
    assert str(caught.value) == sentence
