from math import log

import numpy as np
import pytest

from unirank.logs.estimators.products import Products, factor, improve, value

ITEM, CELL = np.array([1, 0, 1]), np.array([0, 0, 1])
IMPRESSIONS, CLICKS = np.array([10, 20, 30]), np.array([5.0, 4.0, 3.0])


def products(prior: float = 0.0) -> Products:
    state = Products(
        factor(ITEM, IMPRESSIONS, 2),
        factor(CELL, IMPRESSIONS, 2),
        CLICKS,
        IMPRESSIONS - CLICKS,
        prior,
        1.0,
    )
    state.attraction.chance[:] = [0.4, 0.8]
    state.examination.chance[:] = [0.9, 0.5]
    return state


def test_rows_are_found_by_item_and_by_cell() -> None:
    side = products().attraction
    assert side.impressions.tolist() == [20.0, 40.0]
    rows = [side.order[side.first[n] : side.first[n + 1]].tolist() for n in range(2)]
    assert rows == [[1], [0, 2]]


def test_the_value_is_the_likelihood_of_the_rows() -> None:
    chances = [0.8 * 0.9, 0.4 * 0.9, 0.8 * 0.5]
    expected = sum(
        clicks * log(p) + (n - clicks) * log(1 - p)
        for n, clicks, p in zip(IMPRESSIONS, CLICKS, chances, strict=True)
    )
    assert value(products()) == pytest.approx(expected)


def test_a_step_averages_what_is_expected_of_each_impression() -> None:
    state = products()
    value(state)
    improve(state)
    attracted = 4.0 + 16.0 * 0.4 * (1 - 0.9) / (1 - 0.4 * 0.9)
    assert state.attraction.chance[0] == pytest.approx(attracted / 20)
    examined = 3.0 + 27.0 * 0.5 * (1 - 0.8) / (1 - 0.8 * 0.5)
    assert state.examination.chance[1] == pytest.approx(examined / 30)


def test_what_cannot_have_happened_has_no_likelihood() -> None:
    state = products()
    state.attraction.chance[1] = state.examination.chance[1] = 1.0
    assert value(state) == -np.inf
