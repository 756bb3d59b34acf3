"""Which rounds are recorded."""

import numpy as np
import pytest

from unirank import ArgumentError
from unirank.lab.simulation.checkpoints import SPACINGS, as_published, checked, log_spaced


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


@pytest.mark.parametrize("spacing", SPACINGS)
@pytest.mark.parametrize("n_rounds", [1, 9, 10, 12345, 10**7])
def test_every_spacing_has_the_decades_and_both_ends(spacing: str, n_rounds: int) -> None:
    rounds = SPACINGS[spacing](n_rounds)
    assert (rounds[0], rounds[-1]) == (1, n_rounds)
    assert (np.diff(rounds) > 0).all()
    assert {10**k for k in range(8) if 10**k <= n_rounds} <= set(rounds.tolist())


def test_the_published_rounds_are_half_even_half_geometric() -> None:
    rounds = as_published(10**7)
    assert 1800 < len(rounds) <= 2008
    assert {10_011, 20_021} <= set(rounds.tolist())  # 1 + 9999999 k / 999 for k = 1, 2
