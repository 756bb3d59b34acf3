import pytest

from unirank.lab.theory import check_assumptions, compute_gaps, corollary_gaps
from unirank.lab.theory.known_bounds import known_orders, other_bounds, unirank_bounds
from unirank.users import CCM, CM, DBN, PBM

SIMUL = [0.1, 0.08, 0.06, 0.04, 0.02, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4]


def test_the_theorem_and_a_corollary_that_says_the_same_are_one_bound() -> None:
    users = PBM(SIMUL, [1.0, 0.9, 0.83, 0.78, 0.75])
    found = check_assumptions(users, 5)
    (bound,) = unirank_bounds(users, found)
    assert bound.policy == "unirank"
    assert bound.label == "bound of Theorem 1, leading term"
    assert bound.constant == compute_gaps(users, found).constant


def test_with_all_items_shown_the_corollary_is_a_bound_of_its_own() -> None:
    users = PBM([0.5, 0.3, 0.1], [1, 0.8, 0.5])
    found = check_assumptions(users, 3)
    theorem, corollary = unirank_bounds(users, found)
    assert corollary.label == "bound of the corollary for PBM, leading term"
    assert corollary.constant == corollary_gaps(users, found).constant > theorem.constant


def test_cascade_ucb1_on_simul_cm() -> None:
    users = CM(SIMUL)
    (bound,) = other_bounds(users, check_assumptions(users, 5))
    assert bound.policy == "cascade-ucb1"
    assert bound.constant == pytest.approx(5 * 12 / (0.02 - 1e-4))


def test_what_is_infinite_or_not_about_these_users_is_no_bound() -> None:
    tied = CM([0.3, 0.2, 0.2])
    assert unirank_bounds(tied, check_assumptions(tied, 2)) == []
    assert other_bounds(tied, check_assumptions(tied, 2)) == []
    full = CM([0.3, 0.2])
    assert other_bounds(full, check_assumptions(full, 2)) == []
    pbm = PBM([0.3, 0.2], [1.0])
    assert other_bounds(pbm, check_assumptions(pbm, 1)) == []


def test_orders_are_those_of_policies_made_for_the_clicks() -> None:
    cascade, position = known_orders(CM([0.1])), known_orders(PBM([0.1], [1]))
    assert cascade["unirank"] == position["unirank"] == "L/Delta log T"
    assert cascade["cascade-kl-ucb"] == "(L - K)/Delta log T"
    assert "cascade-kl-ucb" not in position
    assert "grab" in position
    assert "grab" not in cascade
    generic = known_orders(CCM([0.1], 0.9, 0.5, 0.5))
    assert generic == known_orders(DBN([0.1], [0.1], 0.1))
    assert generic.items() < position.items()
    assert "random" not in generic
