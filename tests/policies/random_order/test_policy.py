from collections import Counter
from itertools import permutations
from math import perm

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.policies.situations import SIGNIFICANCE, p_value
from unirank.policies import RandomOrder

SIZES = [(1, 1), (2, 1), (3, 3), (5, 2), (4, 3)]


@pytest.mark.parametrize(("n_items", "n_positions"), SIZES)
def test_every_ordered_list_is_as_likely(n_items: int, n_positions: int) -> None:
    policy = RandomOrder(n_items, n_positions, seed=1)
    seen = Counter(policy.rank().items for _ in range(10_000))
    lists = list(permutations(range(n_items), n_positions))
    assert len(lists) == 1 or p_value(seen, dict.fromkeys(lists, 1 / len(lists))) > SIGNIFICANCE


@pytest.mark.parametrize(("n_items", "n_positions"), [*SIZES, (100, 10)])
def test_the_propensity_is_one_over_the_number_of_lists(n_items: int, n_positions: int) -> None:
    shown = RandomOrder(n_items, n_positions).rank()
    assert shown.propensity == pytest.approx(1 / perm(n_items, n_positions), rel=1e-12)


def test_clicks_teach_nothing() -> None:
    clicked, ignored = RandomOrder(6, 3, seed=2), RandomOrder(6, 3, seed=2)
    for _ in range(50):
        shown = clicked.rank()
        assert ignored.rank() == shown
        clicked.update(shown, shown.items[:1])


@given(st.integers(1, 12), st.data())
def test_the_shuffle_is_undone_after_every_round(n_items: int, data: st.DataObject) -> None:
    policy = RandomOrder(n_items, data.draw(st.integers(1, n_items)))
    for _ in range(5):
        policy.rank()
        np.testing.assert_array_equal(policy.state.order, np.arange(n_items))
