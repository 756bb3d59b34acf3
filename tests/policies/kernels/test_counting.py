from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from unirank.policies.kernels.counting import FREE, SMALLEST, filled_table, find

Table = tuple[NDArray[np.uint64], NDArray[np.int64]]

# Many keys that share their low bits, so that they collide in every table.
keys_met = st.lists(
    st.one_of(
        st.integers(0, 8),
        st.integers(0, 2**64 - 1),
        st.integers(0, 20).map(lambda n: n * 2**32 + 7),
        st.integers(0, 7).map(lambda n: 2**64 - 1 - n),
    ),
    max_size=60,
)


def small_table(capacity: int) -> Table:
    return np.full(capacity, FREE), np.zeros(capacity, np.int64)


def filled_with(counts: dict[int, int]) -> Table:
    return filled_table(
        np.array(list(counts), np.uint64), np.array(list(counts.values()), np.int64)
    )


def counted(keys: list[int], table: Table) -> dict[int, int]:
    """Count the keys as a policy does, and return what the table then says of each."""
    places, counts = table
    for key in keys:
        place = find(places, np.uint64(key))
        places[place] = max(key, 1)
        counts[place] += 1
    return {key: int(counts[find(places, np.uint64(key))]) for key in keys}


@given(keys_met)
def test_a_table_counts_like_a_dictionary(keys: list[int]) -> None:
    expected = Counter(max(key, 1) for key in keys)
    assert counted(keys, small_table(64)) == {key: expected[max(key, 1)] for key in keys}


@given(keys_met, keys_met)
def test_a_table_made_of_counts_goes_on_counting_like_a_dictionary(
    before: list[int], after: list[int]
) -> None:
    expected = Counter(max(key, 1) for key in before)
    table = filled_with(dict(expected))
    expected.update(max(key, 1) for key in after)
    assert counted(after, table) == {key: expected[max(key, 1)] for key in after}


@given(st.sets(st.integers(1, 2**64 - 1), max_size=4), st.integers(1, 2**64 - 1))
def test_a_key_not_met_leads_to_a_free_place(known: set[int], key: int) -> None:
    places, _ = small_table(8)
    for one in known - {key}:
        places[find(places, np.uint64(one))] = one
    assert places[find(places, np.uint64(key))] == FREE


def test_a_search_that_meets_the_end_goes_on_at_the_start() -> None:
    places, _ = small_table(4)
    places[3] = 7
    assert find(places, np.uint64(3)) == 0


def test_key_zero_is_read_as_one() -> None:
    places, _ = small_table(8)
    places[find(places, np.uint64(0))] = 1
    assert find(places, np.uint64(0)) == find(places, np.uint64(1)) == 1


@pytest.mark.parametrize("n_keys", [0, 1, SMALLEST // 4, SMALLEST // 4 + 1, 3000])
def test_a_table_is_a_power_of_two_and_at_most_a_quarter_full(n_keys: int) -> None:
    places, counts = filled_with(dict.fromkeys(range(1, n_keys + 1), 1))
    assert places.size == counts.size >= max(4 * n_keys, SMALLEST)
    assert places.size.bit_count() == 1


def test_a_table_holds_its_counts_and_nothing_else() -> None:
    places, counts = filled_with({5: 9, 5 + SMALLEST: 8})
    assert sorted(places[places != FREE].tolist()) == [5, 5 + SMALLEST]
    assert counts.sum() == 17
