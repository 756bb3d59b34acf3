"""The best ranking where only the first click counts, against all rankings."""

from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.users.agreement import ROUNDING, probabilities
from unirank import CCM, CM, DBN, DCM, PBM, UBM, ClickModel

# Five items, four positions, from 16 probabilities.
BUILDERS: dict[str, Callable[[list[float], list[float]], ClickModel]] = {
    "pbm": lambda a, p: PBM(a, p[:4]),
    "pbm, decreasing": lambda a, p: PBM(a, sorted(p[:4], reverse=True)),
    "pbm, common": lambda a, p: PBM(a, p[:4], coupling="common"),
    "pbm, common, decreasing": lambda a, p: PBM(a, sorted(p[:4])[::-1], coupling="common"),
    "cm": lambda a, _: CM(a),
    "dcm": lambda a, p: DCM(a, p[:4]),
    "dbn": lambda a, p: DBN(a, p[:5], p[5]),
    "ccm": lambda a, p: CCM(a, *p[:3]),
    "ubm": lambda a, p: UBM(a, np.reshape(p, (4, 4))),
}


@pytest.mark.parametrize("objective", ["any-click", "first-click"])
@pytest.mark.parametrize("name", BUILDERS)
@settings(max_examples=50)
@given(probabilities(5), probabilities(16), st.integers(1, 4))
def test_the_best_ranking_is_the_best_of_all(
    name: str, objective: str, attraction: list[float], numbers: list[float], n_positions: int
) -> None:
    users = BUILDERS[name](attraction, numbers)
    rankings = np.array(list(permutations(range(5), n_positions)))
    best = users.best_ranking(n_positions, objective)
    assert len(set(best)) == n_positions
    most = users.values(rankings, objective).max()
    assert users.value(best, objective) == pytest.approx(most, abs=ROUNDING)
    assert users.best_value(n_positions, objective) == users.value(best, objective)


def test_looks_that_increase_need_no_search_of_all_items() -> None:
    looks = np.linspace(0.5, 1.0, 4)
    users = PBM(np.linspace(0.5, 0.01, 1000), looks)
    assert set(users.best_ranking(4, "first-click")) == {0, 1, 2, 3}
    assert users.best_ranking(4, "any-click") == (3, 2, 1, 0)
