from itertools import permutations

import numpy as np
import pytest
from hypothesis import given

from tests.users.agreement import probabilities
from unirank.users import UBM, search
from unirank.users.search import all_rankings, value


def test_all_rankings_are_met_once_in_lexicographic_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "CHUNK", 7)
    for n_items, n_positions in [(1, 1), (4, 1), (4, 3), (5, 5)]:
        met = np.concatenate(list(all_rankings(n_items, n_positions)))
        assert [tuple(row) for row in met.tolist()] == list(
            permutations(range(n_items), n_positions)
        )


@given(probabilities(4), probabilities(9))
def test_the_search_finds_the_first_of_the_best(
    attraction: list[float], examination: list[float]
) -> None:
    users = UBM(attraction, np.reshape(examination, (3, 3)))
    values = {ranking: users.value(ranking) for ranking in permutations(range(4), 3)}
    assert users.best_ranking(3) == max(values, key=lambda ranking: values[ranking])


def test_the_best_may_be_in_a_later_array(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "CHUNK", 5)
    assert UBM([0.1, 0.2, 0.3, 0.4], np.full((2, 2), 0.5)).best_ranking(2) == (2, 3)


def test_an_unbound_search_says_so() -> None:
    with pytest.raises(AssertionError, match="must be bound to a click model"):
        value(None, None, None)
