"""What is refused as the examination of a page, and as counts of a state file."""

import numpy as np
import pytest

from unirank.errors import ArgumentError
from unirank.policies.known_examination.state import KnownExamination, check_counts, checked


def test_examination_is_kept_as_plain_numbers() -> None:
    assert checked(np.array([1, 0.5, 0.5]), 3) == [1.0, 0.5, 0.5]


@pytest.mark.parametrize(
    ("examination", "words"),
    [
        ([0.5, 1.0, 0.7], r"must not increase .* number the positions in the order \[1, 2, 0\]"),
        ([1.0, 0.5], "must have shape 3"),
        ([1.0, 0.5, 0.0], "must be above 0, got 0"),
        ([1.5, 0.5, 0.1], r"examination\[0\] must be in \[0, 1\], got 1.5"),
        ("high", "must be numbers"),
        (None, "examination must"),
    ],
)
def test_other_examinations_are_refused(examination: object, words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        checked(examination, 3)  # type: ignore[arg-type]


def test_sizes_are_checked_before_the_examination() -> None:
    with pytest.raises(ArgumentError, match=r"n_positions must be in .*n_items=2, got 3"):
        KnownExamination(2, 3, examination=[1, 0.5])


@pytest.mark.parametrize(("clicked", "shown"), [(3, 2), (-1, 2), (0, -1), (0, 2**61)])
def test_impossible_counts_are_refused(clicked: int, shown: int) -> None:
    with pytest.raises(ArgumentError, match="must be counts"):
        check_counts(np.array([[clicked]]), np.array([[shown]]))
