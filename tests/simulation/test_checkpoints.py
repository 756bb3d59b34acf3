"""Which rounds are recorded."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unirank import ArgumentError
from unirank.simulation.checkpoints import checked, log_spaced


@given(st.integers(1, 10**12))
def test_checkpoints_increase_and_end_with_the_last_round(n_rounds: int) -> None:
    rounds = log_spaced(n_rounds)
    assert rounds[0] == 1
    assert rounds[-1] == n_rounds
    assert (np.diff(rounds) > 0).all()


def test_there_are_about_twenty_per_decade_with_every_power_of_ten() -> None:
    rounds = log_spaced(10**7)
    assert {10**k for k in range(8)} <= set(rounds.tolist())
    assert all(((rounds > 10**k) & (rounds <= 10 ** (k + 1))).sum() == 20 for k in range(2, 7))


def test_own_checkpoints_are_sorted_and_unique() -> None:
    assert checked([5, 1, 5], 10).tolist() == [1, 5]


@pytest.mark.parametrize(
    ("given_", "sentence"), [([], "must not be empty"), ([11], "1..n_rounds=10")]
)
def test_wrong_checkpoints_are_refused(given_: list[int], sentence: str) -> None:
    with pytest.raises(ArgumentError, match=sentence):
        checked(given_, 10)
