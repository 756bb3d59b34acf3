"""Ids outside, numbers inside; numbers are never used again."""

import numpy as np
import pytest

from unirank import ArgumentError
from unirank.errors import UnknownNameError
from unirank.policies.base.catalogue import Catalogue


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue(("tea", "mug", 7, "pot"))


def test_items_are_found_by_id(catalogue: Catalogue) -> None:
    assert [catalogue.number_of(item) for item in ("mug", np.int64(7), None, "x")] == [
        1,
        2,
        None,
        None,
    ]
    assert catalogue.numbers_of("available", ["pot", "tea"]) == {0, 3}
    with pytest.raises(UnknownNameError, match=r"^unknown item in available: 'tee'; .*'tea'"):
        catalogue.numbers_of("available", ["tee"])


def test_all_items_are_no_choice(catalogue: Catalogue) -> None:
    assert catalogue.left() is None
    assert catalogue.choice(["pot", "mug", "tea", 7], 2) is None
    assert list(catalogue.choice(["pot", "mug"], 2)) == [1, 3]  # type: ignore[arg-type]


def test_removed_items_are_not_chosen_from(catalogue: Catalogue) -> None:
    catalogue.remove("mug", 2)
    left = catalogue.left()
    assert left is not None
    assert left.tolist() == [0, 2, 3]
    assert catalogue.left() is left  # kept states are found by it
    with pytest.raises(
        ArgumentError, match=r"^available must hold at least n_positions=2 items, got 1"
    ):
        catalogue.choice(["mug", "tea"], 2)


def test_a_removed_item_comes_back_under_its_number(catalogue: Catalogue) -> None:
    catalogue.remove("mug", 2)
    assert not catalogue.add("mug")
    assert catalogue.left() is None
    assert catalogue.add("cup")
    assert catalogue.numbers["cup"] == 4
    with pytest.raises(ArgumentError, match=r"^item must be new, got 'cup'"):
        catalogue.add("cup")


def test_enough_for_a_page_must_stay(catalogue: Catalogue) -> None:
    catalogue.remove("mug", 3)
    for item, sentence in (("mug", "must be there"), ("tea", "must not be one of the last")):
        with pytest.raises(ArgumentError, match=f"^item {sentence}"):
            catalogue.remove(item, 3)
    with pytest.raises(ArgumentError, match=r"^removed must be numbers of items, and leave enough"):
        catalogue.restore_removed([0, 9], 2)


def test_a_copy_changes_alone(catalogue: Catalogue) -> None:
    twin = catalogue.copy()
    twin.add("cup")
    twin.remove("tea", 2)
    assert (len(catalogue.numbers), catalogue.removed) == (4, set())
