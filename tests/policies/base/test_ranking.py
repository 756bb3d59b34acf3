import pickle
from dataclasses import FrozenInstanceError
from math import isnan, nan

import pytest

from unirank import MatchRank, Ranking


@pytest.fixture
def shown() -> Ranking:
    return Ranking(("b", "a"), 3, 0.5)


def test_a_ranking_says_what_to_show_in_which_round_and_how_likely_it_was(shown: Ranking) -> None:
    assert (shown.items, shown.round, shown.propensity) == (("b", "a"), 3, 0.5)


@pytest.mark.parametrize("field", ["items", "round", "propensity"])
def test_a_ranking_cannot_be_changed(shown: Ranking, field: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(shown, field, None)


def test_rankings_of_the_same_round_and_items_are_equal(shown: Ranking) -> None:
    assert shown == Ranking(("b", "a"), 3, 0.5)


def test_rankings_can_be_collected_in_sets(shown: Ranking) -> None:
    assert len({shown, Ranking(("b", "a"), 3, 0.5), Ranking(("b", "a"), 4, 0.5)}) == 2


def test_a_ranking_has_no_room_for_anything_else(shown: Ranking) -> None:
    assert not hasattr(shown, "__dict__")


def test_an_exact_propensity_has_no_error_and_an_unknown_one_an_unknown_error() -> None:
    assert Ranking(("b", "a"), 3, 0.5).propensity_error == 0.0
    assert isnan(Ranking(("b", "a"), 3, nan).propensity_error)


def test_a_copied_estimate_keeps_its_error() -> None:
    shown = MatchRank(3, 2, seed=1, propensity="estimate").rank()
    assert pickle.loads(pickle.dumps(shown)).propensity_error == shown.propensity_error > 0
