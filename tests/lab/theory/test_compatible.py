import pytest

from tests.lab.theory.problems import of_all_models
from tests.reference.theory import ordered_partitions, rankings
from unirank.lab.theory import compatible
from unirank.lab.theory.compatible import compatible_rankings, some_compatible, worst_compatible
from unirank.policies.plain.partitions import is_compatible, n_compatible_rankings


def test_the_search_finds_the_worst() -> None:
    for users, twin, n_positions in of_all_models(12, seed=6):
        for order in ordered_partitions((0, 1, 2, 3)):
            worst = worst_compatible(users, order, n_positions, "exhaustive")
            fewest = min(
                sum(twin.expected_clicks(ranking))
                for ranking in rankings(4, n_positions)
                if is_compatible(ranking, order, n_positions)
            )
            assert is_compatible(worst, order, n_positions)
            assert users.value(worst) == pytest.approx(fewest, abs=1e-12)


def test_enough_draws_find_the_worst_too() -> None:
    users = of_all_models(4, seed=7)[3].users
    order = ((1, 2), (0, 3))
    sampled = worst_compatible(users, order, 3, "sampled")
    assert users.value(sampled) == users.value(worst_compatible(users, order, 3, "exhaustive"))


@pytest.mark.parametrize("n_positions", [1, 2, 3, 4])
def test_all_compatible_rankings_are_found(n_positions: int) -> None:
    for order in ordered_partitions((0, 1, 2, 3)):
        found = list(compatible_rankings(order, n_positions))
        assert found == sorted(set(found))
        assert len(found) == n_compatible_rankings(order, n_positions)
        assert all(is_compatible(ranking, order, n_positions) for ranking in found)


def test_some_are_drawn_where_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    order = ((0, 3, 1), (2, 4))
    monkeypatch.setattr(compatible, "N_SAMPLED", 5)
    drawn = some_compatible(order, 4, seed=0)
    assert 1 < len(drawn) <= 5
    assert all(is_compatible(ranking, order, 4) for ranking in drawn)
