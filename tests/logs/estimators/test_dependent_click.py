import numpy as np
import pytest

from tests.logs.estimators.agreement import check_em, statistics_of
from tests.logs.estimators.recovery import check_recovery, errors
from unirank.logs.estimators import fit
from unirank.users import DCM

TRUTH = DCM([0.2, 0.8, 0.5, 0.35, 0.6, 0.1], [0.3, 0.6, 0.5, 0.5])
LAST = {"stop_after_click": np.array([0.0, 0.0, 0.0, np.nan])}  # the end of the page hides it


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("prior", [0.0, 0.7])
def test_every_step_is_the_literal_one(seed: int, prior: float) -> None:
    check_em("dcm", seed, prior)


def test_the_truth_is_found() -> None:
    check_recovery("dcm", TRUTH, margin=5, ignored=LAST)


def test_the_closed_form_does_not_find_it_with_any_number_of_sessions() -> None:
    assert min(errors("dcm", TRUTH, LAST, max_iterations=0)) > 0.2


def test_nobody_is_warned_of_the_end_of_the_page() -> None:
    (few,) = [text for text in fit(statistics_of(1), "dcm").warnings if "stop_after" in text]
    assert few.startswith(
        "stop_after_click rests on fewer than 100 clicks with more below for 3 of "
    )
    assert ": position 1 (" in few
