import pytest

from tests.lab.theory.problems import pbm_and_cm
from unirank.errors import ArgumentError
from unirank.lab.theory import check_assumptions, compute_gaps, corollary_gaps
from unirank.users import CM, DCM

SIMUL = [0.1, 0.08, 0.06, 0.04, 0.02, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4]


def test_corollaries_equal_the_exhaustive_computation() -> None:
    n_equal = n_below = 0
    for users, _, n_positions in pbm_and_cm(200, seed=5):
        found = check_assumptions(users, n_positions, method="exhaustive")
        if not found.theorem_applies:
            with pytest.raises(ArgumentError, match=r"the corollary gives no bound: .*3\.1\*"):
                corollary_gaps(users, found)
            continue
        theorem, corollary = compute_gaps(users, found), corollary_gaps(users, found)
        for exact, printed in zip(theorem.gaps, corollary.gaps, strict=True):
            assert (exact.item, exact.against) == (printed.item, printed.against)
            assert printed.probability == pytest.approx(exact.probability, abs=1e-12)
            assert printed.reward == pytest.approx(exact.reward, abs=1e-12)
            if users.n_items > n_positions:
                assert printed.difference == pytest.approx(exact.difference, abs=1e-12)
            else:
                assert printed.difference <= exact.difference + 1e-12
        if users.n_items > n_positions:
            # Relative: a constant divides by gaps as small as 1e-4, squared.
            assert corollary.constant == pytest.approx(theorem.constant, rel=1e-9)
            n_equal += 1
        else:
            assert corollary.constant >= theorem.constant * (1 - 1e-9)
            n_below += corollary.constant > theorem.constant * (1 + 1e-9)
    assert n_equal > 80
    assert n_below > 5


def test_the_constant_of_cm() -> None:
    users = CM(SIMUL)
    gaps = corollary_gaps(users, check_assumptions(users, 5))
    assert gaps.constant == pytest.approx(5 * 16 * (0.02 + 1e-4) / (0.02 - 1e-4), rel=1e-12)


def test_there_are_two_corollaries() -> None:
    users = DCM([0.3, 0.2], [0.5])
    with pytest.raises(ArgumentError) as caught:
        corollary_gaps(users, check_assumptions(users, 1))
    assert str(caught.value) == "there is a corollary for pbm and cm only, got dcm"
