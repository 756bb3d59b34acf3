import pytest

from tests.lab.theory.problems import of_all_models
from tests.reference import theory
from unirank.errors import ArgumentError
from unirank.lab.theory import check_assumptions, compute_gaps, why_no_bound
from unirank.users import CM, DBN


def test_gaps_are_those_of_the_definitions() -> None:
    n_checked = 0
    for users, twin, n_positions in of_all_models(60, seed=10):
        found = check_assumptions(users, n_positions, method="exhaustive")
        if not found.theorem_applies:
            continue
        n_checked += 1
        items = [item for subset in found.order for item in subset]
        best = items[:n_positions]
        gaps = compute_gaps(users, found).gaps
        assert [gap.k for gap in gaps] == [2, 3, 4]
        for gap in gaps:
            assert gap.item == items[gap.k - 1]
            before = items[min(gap.k - 1, n_positions) - 1]
            assert gap.against == before
            differ, _ = theory.compare(twin, best, before, gap.item)
            assert gap.probability == pytest.approx(differ, abs=1e-12)
            least, _ = theory.least_difference(twin, 4, n_positions, before, gap.item)
            assert gap.difference == pytest.approx(least, abs=1e-12)
            lost = sum(twin.expected_clicks(best)) - sum(
                twin.expected_clicks(theory.exchange(best, before, gap.item))
            )
            assert gap.reward == pytest.approx(lost, abs=1e-12)
            assert gap.constant == pytest.approx(8 * lost / (differ * least**2), abs=1e-6)
    assert n_checked > 20


def test_what_costs_nothing_adds_nothing() -> None:
    users = CM([0.5, 0.3])
    gaps = compute_gaps(users, check_assumptions(users, 2))
    assert gaps.constant == 0
    assert gaps.bound(10**6) == 0


def test_no_bound_without_its_assumptions_and_it_says_which() -> None:
    users = CM([0.5, 0.3, 0.3])
    found = check_assumptions(users, 2)
    reason = (
        "assumption 3.1* (strict total order on the top K) fails: no ranking tells items 1 and 2 "
        "apart, and they share place 2"
    )
    assert why_no_bound(found) == reason
    with pytest.raises(ArgumentError) as caught:
        compute_gaps(users, found)
    assert str(caught.value) == f"Theorem 1 gives no bound: {reason}"
    assert why_no_bound(check_assumptions(users, 1)) == ""
    dbn = DBN([0.6, 0.5, 0.4], [0.9, 0.1, 0.1], 0.05)
    assert why_no_bound(check_assumptions(dbn, 2)).startswith("assumption 3.2 (optimal reward)")
