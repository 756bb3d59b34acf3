import numpy as np
import pytest

from tests.lab.theory.problems import of_all_models
from tests.reference.theory import least_difference
from unirank.lab.theory.definition import compared
from unirank.lab.theory.search import UNSEEN, least_differences


def test_the_least_difference_is_that_of_the_twin() -> None:
    for users, twin, n_positions in of_all_models(24, seed=2):
        least, _ = least_differences(users, n_positions)
        for i in range(users.n_items):
            for j in range(users.n_items):
                if i != j:
                    wanted, _ = least_difference(twin, users.n_items, n_positions, i, j)
                    assert least[i, j] == pytest.approx(wanted, abs=1e-12)


def test_it_is_reached_where_it_says() -> None:
    for users, _, n_positions in of_all_models(24, seed=3, n_items=5):
        least, hardest = least_differences(users, n_positions)
        for i in range(users.n_items):
            for j in range(users.n_items):
                if i != j:
                    ranking = tuple(hardest[i, j].tolist())
                    assert i in ranking or j in ranking
                    seen = compared(users, ranking, i, j)
                    assert seen.difference == pytest.approx(least[i, j], abs=1e-12)


def test_rankings_that_are_given_are_the_only_ones_looked_at() -> None:
    users = of_all_models(4, seed=4)[3].users
    rankings = np.array([[0, 1], [1, 2]])
    least, hardest = least_differences(users, 2, rankings)
    assert least[0, 1] == min(
        compared(users, ranking, 0, 1).difference for ranking in rankings.tolist()
    )
    assert hardest[0, 1].tolist() in rankings.tolist()
    first, _ = least_differences(users, 2, rankings[:1])
    assert first[2, 3] == UNSEEN
    assert rankings.tolist() == [[0, 1], [1, 2]]
