from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given

from tests.click_models.agreement import probabilities
from tests.reference import click_models as twins
from unirank.click_models import PBM
from unirank.click_models.search import expected_clicks, next_ranking, search_best
from unirank.kernels.compiling import bind


def searched(model: PBM, n_positions: int) -> tuple[tuple[int, ...], float]:
    search = bind(search_best, model.name, expected_clicks=model.kernels.expected_clicks)
    best = np.empty(n_positions, np.int64)
    used = np.arange(model.n_items) < n_positions
    most = search(model.parameters, np.arange(n_positions), used, np.zeros(n_positions), best)
    return tuple(best.tolist()), most


@pytest.mark.parametrize(
    ("n_items", "n_positions"), [(n, k) for n, k in product(range(1, 6), repeat=2) if k <= n]
)
def test_all_rankings_are_met_once_in_lexicographic_order(n_items: int, n_positions: int) -> None:
    ranking, used = np.arange(n_positions), np.arange(n_items) < n_positions
    met = [tuple(ranking.tolist())]
    while next_ranking(ranking, used):
        met.append(tuple(ranking.tolist()))
    assert met == list(permutations(range(n_items), n_positions))


@given(probabilities(4), probabilities(3))
def test_the_search_finds_the_first_of_the_best_and_its_value(
    attraction: list[float], examination: list[float]
) -> None:
    model = PBM(attraction, examination)
    values = {ranking: model.value(ranking) for ranking in permutations(range(4), 3)}
    assert searched(model, 3) == max(values.items(), key=lambda entry: entry[1])


def test_the_search_finds_what_the_twin_finds() -> None:
    attraction, examination = [0.1, 0.9, 0.5, 0.2], [0.3, 1.0, 0.6]
    best, _ = searched(PBM(attraction, examination), 3)
    assert best == twins.best_ranking(twins.PBM(attraction, examination), 4, 3)[0]


def test_an_unbound_search_says_so() -> None:
    with pytest.raises(AssertionError, match="search_best must be bound to a click model"):
        expected_clicks(None, None, None)
