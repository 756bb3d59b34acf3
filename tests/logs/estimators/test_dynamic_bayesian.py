import pytest

from tests.logs.estimators.agreement import check_em, statistics_of
from tests.logs.estimators.recovery import check_recovery, errors
from unirank.logs.estimators import fit
from unirank.users import DBN

ATTRACTION, SATISFACTION = [0.2, 0.8, 0.5, 0.35, 0.6, 0.1], [0.3, 0.6, 0.5, 0.2, 0.8, 0.4]


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("prior", [0.0, 0.7])
@pytest.mark.parametrize("name", ["dbn", "sdbn"])
def test_every_step_is_the_literal_one(name: str, seed: int, prior: float) -> None:
    check_em(name, seed, prior)


def test_the_truth_is_found() -> None:
    check_recovery("dbn", DBN(ATTRACTION, SATISFACTION, 0.15), margin=10)
    check_recovery("sdbn", DBN(ATTRACTION, SATISFACTION, 0.0), margin=6)


def test_the_closed_form_does_not_find_it_with_any_number_of_sessions() -> None:
    assert min(errors("sdbn", DBN(ATTRACTION, SATISFACTION, 0.0), max_iterations=0)) > 0.2


@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_the_simplified_model_never_abandons(prior: float) -> None:
    found = fit(statistics_of(1), "sdbn", prior=prior, n_starts=4)
    assert found.click_model == "dbn"
    assert found.parameters["abandon"] == 0.0
    assert not any("abandon" in warning for warning in found.warnings)


def test_the_full_model_is_at_least_as_likely() -> None:
    statistics = statistics_of(1)
    simple, full = fit(statistics, "sdbn"), fit(statistics, "dbn", tolerance=1e-12)
    assert full.log_likelihood[-1] >= simple.log_likelihood[-1] - 1e-4
