"""The lists of a batch become objects when asked for: they work like a list of rankings."""

import pickle

import pytest

from unirank import TopRank, UniRank


def test_ids_stand_in_the_order_of_the_page() -> None:
    one, many = (UniRank(list("abcde"), 3, seed=1, position_order=[1, 0, 2]) for _ in range(2))
    assert [one.rank() for _ in range(9)] == list(many.rank_many(9))


def test_it_works_like_a_list() -> None:
    many = TopRank(5, 2, seed=1, horizon=100).rank_many(5)
    assert (len(many), many[-1].round, [s.round for s in many[1:3]]) == (5, 5, [2, 3])
    assert repr(many) == "<5 rankings, rounds 1 to 5>"
    with pytest.raises(IndexError):
        many[5]


def test_pickled_lists_hold_no_secret() -> None:
    policy = UniRank(5, 2, seed=1, token_key="a secret")
    content = pickle.dumps(policy.rank_many(3))
    assert b"a secret" not in content
    assert pickle.loads(content) == list(UniRank(5, 2, seed=1).rank_many(3))
