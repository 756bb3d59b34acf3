"""A policy with its rounds as plain data, and back."""

from dataclasses import replace

import msgspec
import pytest

from tests.policies.situations import contents
from unirank import ArgumentError, Policy, UniRank
from unirank.policies import RandomOrder

BOTH = pytest.mark.parametrize("cls", [RandomOrder, UniRank])


@BOTH
def test_a_policy_survives_its_plain_data(cls: type[Policy]) -> None:
    policy = cls(["a", "b", 3], 2, seed=5, max_pending=7)
    policy.update(policy.rank(), [])
    policy.rank()
    copy = cls.from_saved(policy.to_saved())
    assert contents(copy) == contents(policy)
    assert [copy.rank() for _ in range(20)] == [policy.rank() for _ in range(20)]


def test_edited_rankings_are_refused_after_plain_data_too() -> None:
    policy = UniRank(4, 2)
    shown = policy.rank()
    copy = UniRank.from_saved(policy.to_saved())
    with pytest.raises(ArgumentError, match=r"^shown must be a ranking this policy gave"):
        copy.update(replace(shown, items=shown.items[::-1]), [])


def test_a_round_that_cannot_be_is_refused() -> None:
    policy = UniRank(4, 2, seed=1)
    policy.rank()
    saved = policy.to_saved()
    for wrong in ({"round": -1}, {"let_go": 2}, {"max_pending": 0}):
        with pytest.raises(ArgumentError, match=f"^{next(iter(wrong))} must be"):
            UniRank.from_saved(msgspec.structs.replace(saved, **wrong))


def test_what_was_learnt_apart_is_known_by_learner() -> None:
    policy = UniRank(4, 2, seed=1)
    policy.update(policy.rank(), [])
    assert sum(n for _, n in policy.to_saved().known) == 2  # a round and its answer
