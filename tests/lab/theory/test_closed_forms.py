import numpy as np
import pytest

from tests.lab.theory.problems import pbm_and_cm
from tests.reference.theory import ordered_partitions, rankings
from unirank.errors import ArgumentError
from unirank.lab.theory.closed_forms import (
    closed_least_differences,
    closed_worst_compatible,
    has_closed_form,
)
from unirank.lab.theory.definition import compared
from unirank.lab.theory.search import least_differences
from unirank.policies.plain.partitions import is_compatible
from unirank.users import CM, DBN, PBM, ClickModel

EXTREMES: list[tuple[ClickModel, int]] = [
    (PBM([0.5, 0.3, 0.0], [0.2, 0.9]), 2),  # positions not by decreasing examination
    (PBM([0.5, 0.3, 0.0, 0.0], [1.0, 0.0]), 2),  # nobody looks at the last
    (PBM([1.0, 0.3, 1.0], [1.0, 0.0, 0.5]), 3),
    (PBM([1.0, 0.3, 1.0], [1.0, 0.0, 0.0], coupling="common"), 3),
    (PBM([0.4], [0.5]), 1),
    (CM([1.0, 0.5, 0.3, 0.0]), 3),  # nobody reads past the first item
    (CM([1.0, 0.5, 1.0]), 3),
    (CM([1.0, 0.5, 0.5]), 3),
    (CM([0.0, 0.0, 0.2]), 2),
    (CM([1.0, 0.5, 0.3]), 1),
    (CM([0.4]), 1),
]


def problems() -> list[tuple[ClickModel, int]]:
    return [(p.users, p.n_positions) for p in pbm_and_cm(200, seed=5)] + EXTREMES


def test_formulas_find_what_the_search_finds() -> None:
    for users, n_positions in problems():
        closed, _ = closed_least_differences(users, n_positions)
        searched, _ = least_differences(users, n_positions)
        np.testing.assert_allclose(closed, searched, rtol=0, atol=1e-12, err_msg=repr(users))


def test_they_are_reached_where_they_say() -> None:
    for users, n_positions in problems():
        least, hardest = closed_least_differences(users, n_positions)
        for i in range(users.n_items):
            for j in range(users.n_items):
                if i != j:
                    ranking = hardest[i, j].tolist()
                    assert len(set(ranking)) == n_positions
                    assert i in ranking or j in ranking
                    difference = compared(users, ranking, i, j).difference
                    assert difference == pytest.approx(least[i, j], abs=1e-12)


@pytest.mark.parametrize(
    "users", [CM([0.4, 0.1, 0.3, 0.2]), PBM([0.4, 0.1, 0.3, 0.2], [0.5, 0.9, 0.7])]
)
def test_the_worst_compatible_ranking_is_the_worst(users: ClickModel) -> None:
    for order in ordered_partitions((0, 1, 2, 3)):
        worst = closed_worst_compatible(users, order, 3)
        assert is_compatible(worst, order, 3)
        fewest = min(users.value(a) for a in rankings(4, 3) if is_compatible(a, order, 3))
        assert users.value(worst) == pytest.approx(fewest, abs=1e-12)


def test_a_model_made_from_another_has_no_formula() -> None:
    class Other(CM):
        """Perhaps with other kernels."""

    assert has_closed_form(CM([0.1]))
    assert not has_closed_form(Other([0.1]))


def test_other_models_are_refused() -> None:
    with pytest.raises(ArgumentError, match="must be of pbm or cm for a closed form, got dbn"):
        closed_least_differences(DBN([0.1], [0.1], 0.1), 1)
