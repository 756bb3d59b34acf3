import pytest

from unirank.click_models import DCM, base
from unirank.theory.climbing import best_known


def test_where_nobody_can_search_exchanges_climb(monkeypatch: pytest.MonkeyPatch) -> None:
    users = DCM([0.1, 0.5, 0.3, 0.4, 0.2], [0.6, 0.2, 0.4])
    best = users.best_value(3)
    assert users.value(best_known(users, (4, 0, 2))) == best
    monkeypatch.setattr(base, "MOST_RANKINGS", 10)
    climbed = best_known(users, (4, 0, 2))
    assert users.value((4, 0, 2)) < users.value(climbed) <= best
    assert best_known(users, climbed) == climbed
