"""Many lists at once are those of as many calls of `rank`, and are answered like them."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import numpy as np
import pytest

from unirank import Policy, Ranking, UniRank
from unirank.errors import ArgumentError
from unirank.policies import registry
from unirank.policies.base import batch
from unirank.policies.base.kernels import SEEN_BITS
from unirank.policies.kernels import counting
from unirank.policies.uni_rank.policy import full

NAMES = [*registry.names(), "plain-unirank"]


def two(name: str, n_items: int = 7, n_positions: int = 3, **settings: Any) -> list[Policy]:
    """Two equal policies that have learnt a little."""
    cls = registry[name]
    options = cls.example_options(tuple(range(n_items)), n_positions)
    made = [cls(n_items, n_positions, seed=1, **options, **settings) for _ in range(2)]
    for policy in made:
        for number in range(60):
            shown = policy.rank()
            policy.update(shown, [shown[number % n_positions]] if number % 4 else [])
    return made


def seen(shown: Ranking) -> tuple[Any, ...]:
    return shown.items, shown.round, str(shown.propensity), shown.memory


@pytest.mark.parametrize("name", NAMES)
def test_the_lists_are_those_of_as_many_calls(name: str) -> None:
    one, many = two(name)
    for _ in range(2):
        assert [seen(one.rank()) for _ in range(90)] == [seen(s) for s in many.rank_many(90)]
        one.update(one.round - 3, [])
        many.update(many.round - 3, [])
    assert many.last_ranking == one.last_ranking
    assert one.to_saved().statistics == many.to_saved().statistics


@pytest.mark.parametrize("name", [e.name for e in registry if e.cls.kernels.compiled])
def test_compiled_policies_choose_in_a_compiled_loop(name: str) -> None:
    (policy, _) = two(name)
    assert not isinstance(policy.rank_many(2), list)


def test_more_lists_than_one_call_of_the_loop_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "ROWS", 7)
    one, many = two("rba", bandit="exp3")
    assert [seen(one.rank()) for _ in range(50)] == [seen(s) for s in many.rank_many(50)]


def test_more_memories_than_are_looked_for_among_the_last_ones() -> None:
    one, many = two("rba", 12, 6)
    memories = [one.rank().memory for _ in range(900)]
    assert len(set(memories)) > 2**SEEN_BITS
    assert memories == [shown.memory for shown in many.rank_many(900)]


def test_a_state_that_must_grow_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "SMALLEST", 64)  # a table of 1,024 takes minutes to fill
    pair, draw = two("unirank", 12, 4), Random(1)
    while not full(pair[0].state):
        clicks = [item for item in range(12) if draw.random() < 0.4]
        for policy in pair:
            shown = policy.rank()
            policy.update(shown, {*clicks} & {*shown.items})
    grown, grow = [], UniRank.grow

    def counted(policy: UniRank) -> None:
        grown.append(policy)
        grow(policy)

    monkeypatch.setattr(UniRank, "grow", counted)
    one, many = pair
    assert [seen(one.rank()) for _ in range(20)] == [seen(s) for s in many.rank_many(20)]
    assert grown == pair


@pytest.mark.parametrize("name", ["unirank", "toprank", "rba"])
def test_answers_in_any_order_teach_the_same(name: str) -> None:
    one, many = two(name)
    alone, together = [one.rank() for _ in range(100)], many.rank_many(100)
    for n in np.random.default_rng(1).permutation(100).tolist():
        one.update(alone[n], [alone[n][0]])
        many.update(together[n].token if n % 2 else together[n], [together[n][0]])
    assert one.to_saved().statistics == many.to_saved().statistics
    assert len(many._on_page().unanswered) == 0


def test_other_copies_learn_from_tokens_of_a_batch() -> None:
    policy, other = UniRank(5, 2, seed=1), UniRank(5, 2, seed=1)
    shown = policy.rank_many(3)[1]
    with pytest.raises(ArgumentError, match="is of policy"):
        other.update(shown.token, [])
    other = pickle.loads(pickle.dumps(policy))
    other.rank()
    other.update(shown.token, [shown[0]])


def test_the_oldest_rounds_are_let_go_as_by_as_many_calls() -> None:
    one, many = two("unirank", max_pending=40)
    for n in (30, 7, 40, 1):
        for _ in range(n):
            one.rank()
        many.rank_many(n)
        assert list(one._on_page().unanswered) == list(many._on_page().unanswered)
        assert one._on_page().unanswered.let_go == many._on_page().unanswered.let_go
    assert len(many._on_page().unanswered) == 40


@pytest.mark.parametrize("n", [0, -1, 41, 1.5, "many"])
def test_a_batch_has_from_one_to_max_pending_lists(n: Any) -> None:
    policy = UniRank(5, 2, seed=1, max_pending=40)
    with pytest.raises(ArgumentError, match=r"^n must be"):
        policy.rank_many(n)
    assert policy.round == 0


def test_removed_items_are_not_shown() -> None:
    one, many = two("unirank")
    for policy in (one, many):
        policy.remove(2)
    assert [seen(one.rank()) for _ in range(30)] == [seen(s) for s in many.rank_many(30)]


def test_threads_that_share_a_policy_get_different_rounds() -> None:
    policy = UniRank(8, 3, seed=1)
    with ThreadPoolExecutor(4) as pool:
        batches = list(pool.map(policy.rank_many, [50] * 8))
    assert sorted(s.round for shown in batches for s in shown) == list(range(1, 401))
    for shown in (s for given in batches for s in given):
        policy.update(shown, [])
