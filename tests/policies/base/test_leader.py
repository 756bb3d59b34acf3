"""One shape for the leaders of all policies that have one."""

from typing import Any

import pytest

from tests.policies.situations import policy_with
from unirank import ArgumentError, UniRank
from unirank.policies import GRAB, OSUB, SGRAB, RandomOrder
from unirank.policies.base.leader import Leader, leader_of, names_with_leader


def test_a_partition_is_split_where_the_page_ends() -> None:
    wins = [[0, 3, 3, 3, 3], [0, 0, 1, 3, 3], [0, 1, 0, 3, 3], [0] * 5, [0] * 5]
    for n_positions in (2, 3):
        policy = policy_with(wins, n_positions, items=list("abcde"))
        assert leader_of(policy) == Leader((("a",), ("b", "c")), ("d", "e"))
    assert leader_of(policy_with(wins, 1)) == Leader(((0,),), (1, 2, 3, 4))
    assert leader_of(policy_with(wins, 4)) == Leader(((0,), (1, 2), (3, 4)), ())


def test_nobody_is_below_the_page_before_the_first_click() -> None:
    assert leader_of(UniRank(list("abc"), 2)) == Leader((("a", "b", "c"),), ())
    assert leader_of(OSUB(list("abc"), 2)) == Leader((("a", "b", "c"),), ())


@pytest.mark.parametrize("cls", [GRAB, SGRAB, OSUB])
def test_a_list_is_groups_of_one(cls: Any) -> None:
    policy = cls(list("abcd"), 2, seed=1)
    shown = policy.rank()
    policy.update(shown, shown.items)
    first, second = shown.items
    rest = tuple(item for item in "abcd" if item not in shown.items)
    assert leader_of(policy) == Leader(((first,), (second,)), rest)


def test_others_are_refused_by_name() -> None:
    assert names_with_leader() == ["grab", "matchrank", "osub", "s-grab", "unirank"]
    rule = r"^policy must be one that has a leader \(grab, matchrank, osub, s-grab, unirank\), got "
    with pytest.raises(ArgumentError, match=rule + "RandomOrder"):
        leader_of(RandomOrder(3, 2))
    with pytest.raises(ArgumentError, match=rule + "'unirank'$"):
        leader_of("unirank")
