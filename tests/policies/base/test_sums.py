"""Sums of what copies learnt apart."""

import numpy as np
import pytest

from unirank import ArgumentError
from unirank.policies.base.sums import summed


def test_what_both_began_with_counts_once() -> None:
    mine, theirs, common = np.array([5, 2]), np.array([4, 7]), np.array([3, 2])
    assert summed("wins", mine, theirs, common).tolist() == [6, 7]
    assert summed("n", 5, 4, 3) == 6


def test_where_copies_forget_the_common_part_counts_its_share() -> None:
    assert summed("n", 5.0, 4.0, 3.0, share=0.5) == 7.5


def test_tables_are_summed_by_key() -> None:
    assert summed("led", {1: 5, 2: 1}, {1: 4, 3: 2}, {1: 3}) == {1: 6, 2: 1, 3: 2}


def test_tables_of_other_items_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"^items must not have been added .* \(wins\)$"):
        summed("wins", np.zeros(3), np.zeros(4), np.zeros(3))
