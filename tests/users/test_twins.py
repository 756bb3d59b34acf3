"""Every click model does what its literal twin does, user by user and in law."""

from typing import NamedTuple

import pytest

from tests.reference.click_models import ClickModel as Twin
from tests.users import (
    test_cascade,
    test_click_chain,
    test_dependent_click,
    test_dynamic_bayesian,
    test_position_based,
    test_user_browsing,
)
from tests.users.agreement import (
    MOST_Z,
    ROUNDING,
    SIGNIFICANCE,
    disagreements,
    largest_error,
    largest_error_of_joint_clicks,
    largest_z,
    p_value_of_joint_law,
)
from unirank import ClickModel


class Pair(NamedTuple):
    model: ClickModel
    twin: Twin
    ranking: list[int]


CASES = {
    module.MODEL.name: Pair(module.MODEL, module.TWIN, module.RANKING)
    for module in (test_cascade, test_click_chain, test_dependent_click, test_dynamic_bayesian)
}
CASES |= {
    f"pbm {coupling}": Pair(*pair, test_position_based.RANKING)
    for coupling, pair in test_position_based.PAIRS.items()
}
CASES |= {
    f"ubm {table}": Pair(*pair, test_user_browsing.RANKING)
    for table, pair in test_user_browsing.PAIRS.items()
}


@pytest.fixture(params=CASES, scope="module")
def pair(request: pytest.FixtureRequest) -> Pair:
    return CASES[request.param]


def test_clicks_are_those_of_the_twin(pair: Pair) -> None:
    assert disagreements(pair.model, pair.twin) == []


def test_expected_clicks_are_those_of_the_twin(pair: Pair) -> None:
    assert largest_error(pair.model, pair.twin) < ROUNDING


def test_users_click_as_often_as_expected(pair: Pair) -> None:
    assert largest_z(pair.model, pair.ranking) < MOST_Z


def test_clicks_have_the_joint_law_of_the_twin(pair: Pair) -> None:
    assert p_value_of_joint_law(*pair) > SIGNIFICANCE


def test_joint_clicks_are_those_of_the_twin(pair: Pair) -> None:
    assert largest_error_of_joint_clicks(pair.model, pair.twin) < ROUNDING
