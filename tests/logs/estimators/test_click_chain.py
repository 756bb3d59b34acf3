import pytest

from tests.logs.estimators.agreement import check_em
from tests.logs.estimators.recovery import check_recovery
from unirank.logs.estimators.click_chain import relevant
from unirank.users import CCM


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("prior", [0.0, 0.7])
def test_every_step_is_the_literal_one(seed: int, prior: float) -> None:
    check_em("ccm", seed, prior)


def test_the_truth_is_found() -> None:
    check_recovery("ccm", CCM([0.2, 0.8, 0.5, 0.35, 0.6, 0.1], 0.9, 0.7, 0.2), margin=6)


def test_relevance_is_weighed_by_what_came_next() -> None:
    assert relevant(10.0, 0.5, 0.2, 0.6) == pytest.approx(2.5)
    assert relevant(0.0, 0.0, 0.5, 0.0) == 0.0
