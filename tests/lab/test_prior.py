"""Problems of the prior: reproducible, of both kinds, with an order that is nearly the best."""

import numpy as np
import pytest

from unirank.lab.prior import draw_problem
from unirank.users import CM, PBM

PROBLEMS = [draw_problem(3, number, 40, 8) for number in range(200)]


def test_a_problem_is_the_same_whenever_it_is_drawn() -> None:
    assert draw_problem(3, 7, 40, 8) == PROBLEMS[7]
    assert draw_problem(4, 7, 40, 8) != PROBLEMS[7]


def test_users_are_position_based_and_cascade_in_turns() -> None:
    assert [type(problem.users) for problem in PROBLEMS[:4]] == [PBM, CM, PBM, CM]


def test_it_is_the_prior_that_is_stated() -> None:
    """8,000 attractions: the mean of Beta(1, 9) is 0.1, its error here 0.001; margin 0.005."""
    attraction = np.concatenate([problem.users.attraction for problem in PROBLEMS])
    assert attraction.mean() == pytest.approx(0.1, abs=0.005)
    looks = [p.users.examination for p in PROBLEMS if isinstance(p.users, PBM)]
    assert all((np.diff(look) < 0).all() and look[0] == 1.0 for look in looks)
    severity = [-np.log(look[1]) / np.log(2) for look in looks]
    assert 0.5 <= min(severity) < 0.6
    assert 1.4 < max(severity) <= 1.5


def test_todays_order_loses_something_but_not_much() -> None:
    shares = [p.loss / p.users.best_value(8) for p in PROBLEMS]
    assert min(shares) >= 0
    assert 0.02 < np.mean(shares) < 0.2
    assert all(len(set(p.today)) == 8 for p in PROBLEMS)
