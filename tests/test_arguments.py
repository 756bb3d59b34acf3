from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from unirank import arguments
from unirank.errors import ArgumentError, UnknownNameError


@pytest.mark.parametrize("value", [1, 3, np.int64(2), np.uint8(3)])
def test_an_integer_in_range_is_returned_as_an_int(value: Any) -> None:
    number = arguments.integer("n", value, 1, 3)
    assert number == value
    assert type(number) is int


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (0, "n_positions must be in 1..n_items=3, got 0"),
        (4, "n_positions must be in 1..n_items=3, got 4"),
        (2.0, "n_positions must be an integer in 1..n_items=3, got 2.0"),
        (True, "n_positions must be an integer in 1..n_items=3, got True"),
        ("2", "n_positions must be an integer in 1..n_items=3, got '2'"),
        (None, "n_positions must be an integer in 1..n_items=3, got None"),
    ],
)
def test_an_integer_error_names_the_argument_the_rule_and_the_value(
    value: object, sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        arguments.integer("n_positions", value, 1, 3, "n_items=")
    assert str(caught.value) == sentence


@pytest.mark.parametrize("values", [[2, 0, 1], (2, 0, 1), np.array([2, 0, 1], np.uint8)])
def test_a_permutation_is_returned_as_a_list_of_ints(values: Any) -> None:
    numbers = arguments.permutation("order", values, 3)
    assert numbers == [2, 0, 1]
    assert {type(number) for number in numbers} == {int}


@pytest.mark.parametrize(
    "values", [[0, 1], [0, 1, 1], [1, 2, 3], [0, 1, 2, 3], [0, 1, 2.0], 3, "ab"]
)
def test_a_permutation_error_names_the_argument_the_rule_and_the_value(values: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        arguments.permutation("order", values, 3)
    assert str(caught.value) == f"order must be a permutation of 0..2, got {values!r}"


@pytest.mark.parametrize("value", [1, 0.5, np.float64(2.5), np.int64(3)])
def test_a_positive_number_is_returned_as_a_float(value: Any) -> None:
    number = arguments.positive("exploration", value)
    assert number == value
    assert type(number) is float


@pytest.mark.parametrize("value", [0, -1.5, float("nan"), float("inf"), True, "1", None])
def test_a_number_that_is_not_positive_is_refused_by_name(value: object) -> None:
    with pytest.raises(ArgumentError) as caught:
        arguments.positive("exploration", value)
    assert str(caught.value) == f"exploration must be a number > 0, got {value!r}"


@pytest.mark.parametrize("value", [0, 0.0, 1, np.float64(2.5), np.int64(3)])
def test_a_number_of_at_least_zero_is_returned_as_a_float(value: Any) -> None:
    number = arguments.non_negative("exploration", value)
    assert number == value
    assert type(number) is float


@pytest.mark.parametrize("value", [-1e-9, float("nan"), float("inf"), True, "1", None])
def test_a_negative_number_is_refused_by_name(value: object) -> None:
    with pytest.raises(ArgumentError) as caught:
        arguments.non_negative("exploration", value)
    assert str(caught.value) == f"exploration must be a number >= 0, got {value!r}"


def test_an_integer_without_a_largest_value_has_only_a_smallest() -> None:
    assert arguments.integer("n_rounds", 10**30, 1) == 10**30
    with pytest.raises(ArgumentError, match=r"^n_rounds must be >= 1, got 0$"):
        arguments.integer("n_rounds", 0, 1)


@pytest.mark.parametrize("value", [0, 2**63 - 1])
def test_a_seed_fits_in_63_bits(value: int) -> None:
    assert arguments.seed(value) == value


@pytest.mark.parametrize("value", [-1, 2**63])
def test_a_seed_outside_63_bits_is_refused(value: int) -> None:
    with pytest.raises(ArgumentError) as caught:
        arguments.seed(value)
    assert str(caught.value) == f"seed must be in 0..9223372036854775807, got {value}"


def test_a_known_choice_is_returned() -> None:
    assert arguments.choice("early", "leader", ("leader", "explore")) == "leader"


def test_an_unknown_choice_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"^unknown early 'lead'; did you mean 'leader'\?$"):
        arguments.choice("early", "lead", ("leader", "explore"))


@pytest.mark.parametrize("value", [0, 1, 0.25, Fraction(1, 4), np.float32(0.5)])
def test_a_probability_is_returned_as_a_float(value: Any) -> None:
    probability = arguments.probability("abandon", value)
    assert probability == value
    assert type(probability) is float


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (1.5, "abandon must be in [0, 1], got 1.5"),
        (-0.1, "abandon must be in [0, 1], got -0.1"),
        (float("nan"), "abandon must be in [0, 1], got nan"),
        ("often", "abandon must be numbers in [0, 1], got ['often']"),
        ([0.1, 0.2], "abandon must have shape 1, got shape (1, 2)"),
    ],
)
def test_a_probability_error_names_the_argument_the_rule_and_the_value(
    value: object, sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        arguments.probability("abandon", value)
    assert str(caught.value) == sentence


def test_probabilities_are_a_read_only_copy() -> None:
    given = np.array([0.1, 0.2])
    array = arguments.probabilities("attraction", given)
    given[0] = 0.9
    assert array.tolist() == [0.1, 0.2]
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 0.5


def test_probabilities_of_integers_become_floats() -> None:
    assert arguments.probabilities("attraction", [0, 1]).dtype == np.float64


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([], "attraction must not be empty, got shape (0,)"),
        (0.5, "attraction must have shape n, got shape ()"),
        ([[0.5]], "attraction must have shape n, got shape (1, 1)"),
        ([0.5, 2], "attraction[1] must be in [0, 1], got 2"),
        ([0.5, -1e-9], "attraction[1] must be in [0, 1], got -1e-09"),
        ([float("nan"), 2], "attraction[0] must be in [0, 1], got nan"),
        ([[0.1, 0.2], [0.3]], "attraction must be numbers in [0, 1], got [[0.1, 0.2], [0.3]]"),
        (["a"], "attraction must be numbers in [0, 1], got ['a']"),
    ],
)
def test_an_error_in_a_list_of_probabilities_says_which_and_why(values: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        arguments.probabilities("attraction", values)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([0.1, 0.2], "table must have shape 2 x n, got shape (2,)"),
        ([[0.1]], "table must have shape 2 x n, got shape (1, 1)"),
        ([[], []], "table must not be empty, got shape (2, 0)"),
        ([[0.1, 0.2], [0.3, 7]], "table[1][1] must be in [0, 1], got 7"),
    ],
)
def test_an_error_in_a_table_of_probabilities_says_where_and_why(
    values: Any, sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        arguments.probabilities("table", values, (2, None))
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("items", "ids"),
    [
        (3, (0, 1, 2)),
        (np.int64(2), (0, 1)),
        (["b", "a"], ("b", "a")),
        ([7, "x"], (7, "x")),
        (np.array([5, 4]), (5, 4)),
        ((name for name in "ab"), ("a", "b")),
    ],
)
def test_items_are_a_count_or_their_ids(items: object, ids: tuple[int | str, ...]) -> None:
    assert arguments.item_ids(items) == ids


def test_item_ids_are_plain_python_values() -> None:
    ids = arguments.item_ids(np.array([5, 4]))
    assert [type(item) for item in ids] == [int, int]


@pytest.mark.parametrize(
    ("items", "sentence"),
    [
        (0, "items must be >= 1, got 0"),
        ([], "items must not be empty, got []"),
        ("abc", "items must be a count or a list of ids, got 'abc'"),
        (True, "items must be a count or a list of ids, got True"),
        (2.5, "items must be a count or a list of ids, got 2.5"),
        (["a", "b", "a"], "items must be unique, got 'a' twice"),
        (["a", 1.5], "items must be strings or integers, got 1.5"),
        (["a", True], "items must be strings or integers, got True"),
    ],
)
def test_an_error_in_the_items_says_which_and_why(items: object, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        arguments.item_ids(items)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("items", "sentence"),
    [([2**70], "items must be in -9223372036854775808..9223372036854775807, got "),
     (["\ud800"], "items must be Unicode text, got ")],
)  # fmt: skip
def test_ids_that_could_not_be_saved_are_refused(items: list[Any], sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        arguments.item_ids(items)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("value", [0, -3, 2**60 + 1, 1e6, True, "long"])
def test_a_horizon_is_a_number_of_rounds(value: object) -> None:
    assert arguments.horizon("horizon", 10**12) == 10**12
    with pytest.raises(ArgumentError, match="horizon must be"):
        arguments.horizon("horizon", value)
