import numpy as np
import pytest

from tests.reference.theory import compare
from tests.theory.problems import of_all_models
from unirank.theory.comparing import bound_comparison


def test_one_ranking_compares_all_its_items_as_the_definition_does() -> None:
    for users, twin, n_positions in of_all_models(12, seed=11):
        ranking = np.array([2, 0, 3, 1][:n_positions])
        before = ranking.tolist()
        shown = np.isin(np.arange(4), ranking)
        least, hardest = np.full((4, 4), 2.0), np.zeros((4, 4, n_positions), np.int64)
        scratch = [np.zeros(n_positions) for _ in range(3)]
        bound_comparison(users)(users.parameters, ranking, shown, *scratch, least, hardest)
        assert ranking.tolist() == before
        for i in range(4):
            for j in range(4):
                if i == j or not (shown[i] or shown[j]):
                    assert least[i, j] == 2.0
                    continue
                differ, difference = compare(twin, before, i, j)
                assert least[i, j] == pytest.approx(difference / differ, abs=1e-12)
                assert hardest[i, j].tolist() == before
