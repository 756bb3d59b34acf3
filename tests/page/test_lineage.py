"""Copies of a policy share its identity, and each begins an epoch of its own."""

import pytest

from unirank import ArgumentError
from unirank.page.lineage import MOST_EPOCHS, Lineage


def begun(*starts: int) -> Lineage:
    lineage = Lineage()
    for number in starts:
        lineage.begin(number)
    return lineage


def test_two_policies_have_different_identities() -> None:
    assert Lineage().seal.policy != Lineage().seal.policy


def test_a_round_belongs_to_the_epoch_that_began_last_before_it() -> None:
    lineage = begun(1, 5, 9)
    epochs = [epoch for epoch, _ in lineage.to_plain()[1]]
    found = [lineage.epoch_of(number) for number in (1, 4, 5, 8, 9, 100)]
    assert found == [epochs[n] for n in (0, 0, 1, 1, 2, 2)]


def test_a_round_before_the_first_epoch_belongs_to_none() -> None:
    assert begun(5).epoch_of(4) is None
    assert begun().epoch_of(1) is None


def test_a_copy_descends_from_what_was_saved() -> None:
    original, copy = begun(1, 5), Lineage()
    copy.restore(*original.to_plain(), last_round=7)
    copy.begin(8)
    assert copy.seal.policy == original.seal.policy
    assert copy.to_plain()[1][:2] == original.to_plain()[1]
    assert copy.seal.epoch != original.seal.epoch


def test_the_key_stays_with_the_object() -> None:
    lineage = Lineage(b"secret")
    lineage.restore(3, [], 0)
    lineage.begin(1)
    assert lineage.seal.key == b"secret"
    assert b"secret" not in repr(lineage.to_plain()).encode()


def test_the_oldest_epochs_are_forgotten() -> None:
    lineage = begun(*range(1, MOST_EPOCHS + 3))
    assert len(lineage.to_plain()[1]) == MOST_EPOCHS
    assert lineage.epoch_of(2) is None


@pytest.mark.parametrize("epochs", [[(1, 0)], [(1, 9)], [(1, 3), (2, 3)], [(1, 3), (2, 2)]])
def test_epochs_that_cannot_be_are_refused(epochs: list[tuple[int, int]]) -> None:
    with pytest.raises(ArgumentError, match=r"^epochs must begin in different rounds"):
        Lineage().restore(1, epochs, 8)
