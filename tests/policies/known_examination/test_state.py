"""The examination of a page, the opening of PBM-UCB and PBM-PIE, and counts of a state file."""

from typing import Any

import numpy as np
import pytest

from tests.policies.counted import with_counts
from unirank import ArgumentError
from unirank.policies import BCMPTS, PBMPIE, PBMTS, PBMUCB
from unirank.policies.known_examination.state import (
    KnownExamination,
    check_counts,
    checked_examination,
)


def test_examination_is_kept_as_plain_numbers() -> None:
    assert checked_examination(np.array([1, 0.5, 0.5]), 3) == [1.0, 0.5, 0.5]


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
        checked_examination(examination, 3)  # type: ignore[arg-type]


def test_sizes_are_checked_before_the_examination() -> None:
    with pytest.raises(ArgumentError, match=r"n_positions must be in .*n_items=2, got 3"):
        KnownExamination(2, 3, examination=[1, 0.5])


@pytest.mark.parametrize(("clicked", "shown"), [(3, 2), (-1, 2), (0, -1), (0, 2**61)])
def test_impossible_counts_are_refused(clicked: int, shown: int) -> None:
    with pytest.raises(ArgumentError, match="must be counts"):
        check_counts(np.array([[clicked]]), np.array([[shown]]))


with_opening = pytest.mark.parametrize("cls", [PBMUCB, PBMPIE])


@with_opening
def test_the_opening_shows_each_item_once_at_each_position(cls: Any) -> None:
    policy = cls(4, 3, examination=[1, 0.5, 0.2])
    lists = []
    for _ in range(4):
        shown = policy.rank()
        assert shown.propensity == 1.0
        lists.append(shown.items)
        policy.update(shown, [])
    assert lists == [(0, 1, 2), (1, 2, 3), (2, 3, 0), (3, 0, 1)]
    assert policy.state.shown.tolist() == [[1, 1, 1]] * 4


@pytest.mark.parametrize("cls", [PBMUCB, PBMPIE, PBMTS, BCMPTS])
def test_every_position_counts_whatever_was_clicked_above(cls: Any) -> None:
    policy = cls(3, 3, examination=[1, 0.5, 0.2], seed=1)
    shown, clicked = np.zeros((3, 3), int), np.zeros((3, 3), int)
    for _ in range(20):
        ranking = policy.rank()
        policy.update(ranking, [0, 2])
        for position, item in enumerate(ranking.items):
            shown[int(item), position] += 1
            clicked[int(item), position] += item in (0, 2)
    np.testing.assert_array_equal(policy.state.shown, shown)
    np.testing.assert_array_equal(policy.state.clicked, clicked)


@with_opening
@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"shown": [[1], [9]]}, "shown must be counts of at most the number of rounds"),
        ({"shown": [[1], [-1]]}, "shown must be counts"),
        ({"clicked": [[2], [0]]}, "clicked must be counts of at most shown"),
        ({"clicked": [[0]]}, "clicked must have shape (2, 1)"),
        ({"rounds": [-1]}, "rounds must be in 0..1099511627775, got -1"),
        ({"rounds": [2**40]}, f"rounds must be in 0..1099511627775, got {2**40}"),
    ],
)
def test_impossible_statistics_are_refused(
    cls: Any, changed: dict[str, Any], sentence: str
) -> None:
    statistics = {"shown": [[1], [1]], "clicked": [[0], [1]], "rounds": [2], **changed}
    with pytest.raises(ArgumentError) as caught:
        with_counts(cls, 1, {"examination": [1]}, **statistics)
    assert str(caught.value) == sentence


@with_opening
def test_hardly_any_examination_is_no_trouble(cls: Any) -> None:
    policy = cls(1, 1, examination=[5e-324], exploration=1e308)
    for _ in range(3):
        shown = policy.rank()
        assert shown.propensity == 1.0
        policy.update(shown, [0])
