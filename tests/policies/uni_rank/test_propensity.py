"""How likely each list is: as the plain edition says, and as often as it is in fact shown."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from tests.policies.situations import (
    N_DRAWS,
    SIGNIFICANCE,
    chances,
    draws,
    ordered,
    p_value,
    plain_with,
    policy_with,
)
from unirank import UniRank

SITUATIONS = [
    pytest.param(np.zeros((4, 4), np.int64), 2, 0, id="no data"),
    pytest.param(ordered(4, 50), 3, 5, id="leader"),
    pytest.param(ordered(4) + ordered(4, 20) * (np.arange(4) != 2), 3, 3, id="one merge"),
    pytest.param(ordered(5) + ordered(5, 20) * (np.arange(5) < 3), 2, 3, id="two additions"),
    pytest.param(ordered(5), 3, 3, id="all tied"),
    pytest.param(np.roll(ordered(4), 2, axis=(0, 1)), 4, 3, id="merges tied"),
]


@st.composite
def situations(draw: st.DrawFn) -> dict[str, Any]:
    """Any table of wins, often with ties, most often with a leader of several subsets."""
    n_items = draw(st.sampled_from([5, 4, 3, 2, 1]))
    numbers = st.integers(0, draw(st.sampled_from([2, 1, 0])))
    noise = np.array([draw(numbers) for _ in range(n_items**2)]).reshape(n_items, n_items)
    wins = ordered(n_items, draw(st.sampled_from([2, 1, 3, 0]))) + noise * ~np.eye(
        n_items, dtype=bool
    )
    return {
        "wins": wins,
        "n_positions": draw(st.integers(1, n_items)),
        "seen": draw(st.sampled_from([0, 3, 4, 30, 10**6])),
        "seed": draw(st.integers(0, 9)),
        "early": draw(st.sampled_from(["leader", "explore"])),
    }


@given(situations())
def test_propensities_sum_to_one(situation: dict[str, Any]) -> None:
    assert sum(chances(policy_with(**situation)).values()) == pytest.approx(1.0, abs=1e-12)


@given(situations())
def test_propensities_are_those_of_the_plain_edition(situation: dict[str, Any]) -> None:
    policy = plain_with(**situation)
    policy.rank()
    for items, chance in chances(policy_with(**situation)).items():
        assert chance == pytest.approx(policy.propensity(np.array(items)), abs=1e-12)


@given(situations())
def test_rankings_are_those_of_the_plain_edition(situation: dict[str, Any]) -> None:
    assert policy_with(**situation).rank().items == plain_with(**situation).rank().items


@given(situations())
def test_the_propensity_given_is_that_of_the_list_shown(situation: dict[str, Any]) -> None:
    shown = policy_with(**situation).rank()
    assert shown.propensity == chances(policy_with(**situation))[shown.items]


@pytest.mark.parametrize(("wins", "n_positions", "seen"), SITUATIONS)
def test_lists_are_shown_as_often_as_their_propensities_say(
    wins: NDArray[np.int64], n_positions: int, seen: int
) -> None:
    expected = chances(policy_with(wins, n_positions, seen=seen))
    lists, _ = draws(policy_with(wins, n_positions, seen=seen), N_DRAWS)
    certain = max(expected.values()) == 1.0
    assert len(lists) == 1 if certain else p_value(lists, expected) > SIGNIFICANCE


def test_tied_neighbours_are_played_equally_often() -> None:
    policy = policy_with(ordered(6), 3, seen=3)
    assert len(policy.explain().trying) == 5  # two merges, three additions
    _, names = draws(policy, N_DRAWS)
    assert sorted(names) == [1, 2, 3, 4, 5]
    assert stats.chisquare(list(names.values())).pvalue > SIGNIFICANCE


@given(situations(), st.data())
def test_relabelling_items_relabels_everything(
    situation: dict[str, Any], data: st.DataObject
) -> None:
    old = data.draw(st.permutations(range(len(situation["wins"]))))
    wins = situation["wins"][np.ix_(old, old)]
    one, two = policy_with(**situation), policy_with(**{**situation, "wins": wins}, items=old)

    def told(policy: UniRank) -> Any:
        found = policy.explain()
        tried = [(set(n.ahead), set(n.behind), n.index) for n in found.neighbours]
        by_name = sorted(tried, key=lambda n: (len(n[1]), sorted(n[0]), sorted(n[1])))
        return [set(subset) for subset in found.leader], by_name

    assert told(one) == told(two)
    assert chances(one) == pytest.approx(chances(two), abs=1e-12)
