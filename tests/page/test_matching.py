"""Copies of one policy in several processes: no answer is ever credited to another list."""

import copy
import os
import pickle
from collections import Counter
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import unirank as ur
from tests.policies.situations import some_clicks
from unirank import ArgumentError, UniRank
from unirank.page.state_file import read_state_file
from unirank.page.token import sealed
from unirank.policies.base import policy as base


def copy_of(policy: ur.Policy, folder: Path, **settings: Any) -> Any:
    policy.save(folder / "state")
    return ur.load(folder / "state", **settings)


def told(policy: ur.Policy, shown: Any, clicks: Any = ()) -> str:
    with pytest.raises(ArgumentError) as caught:
        policy.update(shown, clicks)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture
def fresh_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeds are fresh, as they are outside of tests."""
    seeds = count(1)
    monkeypatch.setattr(base, "fresh_seed", lambda: next(seeds))


def test_a_token_is_as_good_as_the_ranking() -> None:
    one, two = UniRank(6, 3, seed=1), UniRank(6, 3, seed=1)
    draw = Random(1)
    for _ in range(200):
        first, second = one.rank(), two.rank()
        clicks = some_clicks(first.items, draw)
        one.update(first, clicks)
        two.update(second.token, clicks)
    np.testing.assert_array_equal(one.state.wins, two.state.wins)


@pytest.mark.parametrize("key", [None, "secret"])
def test_a_token_of_ten_positions_of_a_thousand_items_is_short(key: str | None) -> None:
    policy = UniRank(1000, 10, seed=1, token_key=key)
    longest = 0
    for _ in range(300):
        shown = policy.rank()
        longest = max(longest, len(shown.token))
        policy.update(shown, [shown[0]])
    assert longest <= 300


def test_a_token_is_answered_once() -> None:
    policy = UniRank(6, 3)
    token = policy.rank().token
    policy.update(token, [])
    assert told(policy, token) == "round 1 was already updated"


def test_a_token_of_another_policy_is_refused() -> None:
    policy, other = UniRank(6, 3, seed=1), UniRank(6, 3, seed=1)
    policy.rank()
    assert told(policy, other.rank().token).startswith(
        "shown must be a ranking this policy gave: round 1 is of policy "
    )


def test_a_forged_list_of_a_round_that_was_given_is_refused() -> None:
    policy = UniRank(6, 3, seed=1)
    seal = policy.rank()._given[0]
    memory = policy.rank().memory
    forged = sealed(seal, 1, np.array([5, 4, 3]), memory)
    assert told(policy, forged) == "token must be unchanged: round 1 was another list"


def test_a_round_this_copy_never_gave_is_learnt_from_once(tmp_path: Path) -> None:
    policy = UniRank(6, 3, seed=1)
    other = copy_of(policy, tmp_path)
    shown, mine = policy.rank(), other.rank()
    other.update(shown.token, [shown[0]])
    assert other.leader[0] == (shown[0],)
    assert told(other, shown.token) == "round 1 of another copy was already updated"
    assert told(other, shown) == "round 1 of another copy was already updated"
    other.update(mine.token, [])


def test_what_was_answered_elsewhere_is_saved(tmp_path: Path) -> None:
    policy = UniRank(6, 3, seed=1)
    other = copy_of(policy, tmp_path)
    token = policy.rank().token
    other.update(token, [])
    assert told(copy_of(other, tmp_path), token) == "round 1 of another copy was already updated"


def test_a_round_given_before_saving_is_answered_by_token_after_loading(tmp_path: Path) -> None:
    policy = UniRank(6, 3, seed=1)
    token = policy.rank().token
    other = copy_of(policy, tmp_path)
    other.rank()
    other.update(token, [])
    assert told(other, token) == "round 1 was already updated"
    assert told(other, 1) == "round 1 was already updated"


def test_after_a_crash_late_answers_reach_their_own_lists(tmp_path: Path) -> None:
    """An older copy takes over; tokens of the lost rounds come late, mixed with its own."""
    policy, draw = UniRank(7, 3, seed=1), Random(2)
    for _ in range(20):
        policy.rank()
    policy.save(tmp_path / "state")
    lost = [policy.rank() for _ in range(80)]
    other: Any = ur.load(tmp_path / "state")
    mine = [other.rank() for _ in range(80)]
    wanted = UniRank(7, 3, seed=1)
    waiting = [*lost, *mine]
    draw.shuffle(waiting)
    for shown in waiting:
        clicks = some_clicks(shown.items, draw)
        other.update(shown.token, clicks)
        wanted.learn(shown.items, shown.memory, clicks)
    np.testing.assert_array_equal(other.state.wins, wanted.state.wins)
    assert Counter(number for number, _ in other._on_page().unanswered) == Counter(range(1, 21))


def test_workers_that_share_only_tokens_credit_every_answer_to_its_own_list(tmp_path: Path) -> None:
    """Four copies; each answer reaches any of them, late, or never; one crashes and is restored."""
    draw = Random(3)
    policy = UniRank(12, 4)
    workers = [copy_of(policy, tmp_path) for _ in range(4)]
    wanted = UniRank(12, 4)
    lost = np.zeros_like(policy.state.wins)  # what the crashed worker knew
    waiting: list[Any] = []
    for visitor in range(3000):
        waiting.append(draw.choice(workers).rank())
        if visitor == 1000:
            workers[0].save(tmp_path / "worker")
        if visitor == 1500:
            lost = workers[0].state.wins
            workers[0] = ur.load(tmp_path / "worker")
            lost = lost - workers[0].state.wins
        while len(waiting) > 50:
            shown = waiting.pop(draw.randrange(len(waiting)))
            if draw.random() < 0.8:
                clicks = some_clicks(shown.items, draw)
                draw.choice(workers).update(shown.token, clicks)
                wanted.learn(shown.items, shown.memory, clicks)
    learnt = sum(worker.state.wins for worker in workers) + lost
    np.testing.assert_array_equal(learnt, wanted.state.wins)


def test_a_round_that_is_yet_to_come_is_refused() -> None:
    policy = UniRank(6, 3, seed=1)
    seal, ranking, memory = policy.rank()._given
    forged = sealed(seal, 9, np.frombuffer(ranking, np.int64), memory)
    assert told(policy, forged) == "round must be in 1..last round=1, got 9"


def test_a_forged_list_of_another_epoch_must_be_possible() -> None:
    policy = UniRank(6, 3, seed=1)
    seal = policy.rank()._given[0]._replace(epoch=1)
    for ranking, memory in [([5, 4, 6], b""), ([1, 1, 2], b""), ([1, 2, 3], b"nonsense")]:
        assert told(policy, sealed(seal, 1, np.array(ranking), memory)).startswith(
            ("token must name different items", "memory must be")
        )


# Keys.


def test_a_signed_token_needs_the_key_after_loading(tmp_path: Path) -> None:
    policy = UniRank(6, 3, token_key="secret")
    token = policy.rank().token
    policy.save(tmp_path / "state")
    assert b"secret" not in (tmp_path / "state").read_bytes()
    assert told(ur.load(tmp_path / "state"), token).startswith("token is signed: give the policy")
    wrong = ur.load(tmp_path / "state", token_key="other")
    assert told(wrong, token).startswith("token must be signed with this policy's token_key")
    ur.load(tmp_path / "state", token_key=b"secret").update(token, [])


@pytest.mark.parametrize("key", ["", b"", 3])
def test_a_key_is_a_text_or_bytes(key: Any) -> None:
    with pytest.raises(ArgumentError, match=r"^token_key must be a text or bytes, not empty$"):
        UniRank(6, 3, token_key=key)


# The stateless core.


def test_learning_knows_nothing_of_rounds() -> None:
    policy, other = UniRank(6, 3, seed=1), UniRank(6, 3, seed=2)
    for _ in range(50):
        shown = policy.rank()
        policy.update(shown, [shown[1]])
        other.learn(shown.items, shown.memory, [shown[1]])
    np.testing.assert_array_equal(other.state.wins, policy.state.wins)
    assert other.round == 0


def test_learning_reads_the_page_in_its_own_order() -> None:
    policy = UniRank(6, 3, seed=1, position_order=[2, 0, 1])
    other = UniRank(6, 3, seed=1, position_order=[2, 0, 1])
    for _ in range(50):
        shown = policy.rank()
        policy.update(shown, [shown[1]])
        other.learn(shown.items, shown.memory, [shown[1]])
    np.testing.assert_array_equal(other.state.wins, policy.state.wins)


@pytest.mark.parametrize(
    ("items", "sentence"),
    [
        ([0, 1], "items must be n_positions=3 different items of this policy, got [0, 1]"),
        ([0, 1, 6], "items must be n_positions=3 different items of this policy, got [0, 1, 6]"),
        ([0, 1, 1], "items must be n_positions=3 different items of this policy, got [0, 1, 1]"),
        ([0, 1, 2], "memory must be the one that came with these items"),
    ],
)
def test_learning_from_what_cannot_be_is_refused(items: list[int], sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        UniRank(6, 3).learn(items, b"nonsense", [])
    assert str(caught.value) == sentence


# Seeds.


@pytest.mark.usefixtures("fresh_seeds")
def test_copies_of_a_policy_without_a_seed_draw_different_lists(tmp_path: Path) -> None:
    policy = UniRank(9, 4)
    one, two = copy_of(policy, tmp_path), copy_of(policy, tmp_path)
    lists = [[p.rank().items for _ in range(20)] for p in (policy, one, two)]
    assert lists[0] != lists[1] != lists[2] != lists[0]


@pytest.mark.usefixtures("fresh_seeds")
def test_copies_of_a_policy_with_a_seed_draw_the_same_lists(tmp_path: Path) -> None:
    policy = UniRank(9, 4, seed=7)
    other = copy_of(copy_of(policy, tmp_path), tmp_path)
    assert [policy.rank() for _ in range(20)] == [other.rank() for _ in range(20)]


@pytest.mark.usefixtures("fresh_seeds")
def test_a_drawn_seed_stays_while_the_object_lives() -> None:
    policy = UniRank(9, 4)
    seed = policy.seed
    for _ in range(5):
        policy.rank()
    assert policy.seed == seed


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
@pytest.mark.usefixtures("fresh_seeds")
def test_a_forked_process_begins_an_epoch_of_its_own(tmp_path: Path) -> None:
    policy = UniRank(9, 4)
    before = policy.rank()
    child = os.fork()
    if child == 0:
        shown = policy.rank()
        (tmp_path / "child").write_bytes(pickle.dumps(shown))
        os._exit(0)
    os.waitpid(child, 0)
    theirs = pickle.loads((tmp_path / "child").read_bytes())
    mine = policy.rank()
    assert theirs.round == mine.round == 2
    assert theirs.items != mine.items
    policy.update(theirs, [theirs[0]])
    policy.update(mine, [])
    policy.update(before.token, [])


def test_a_pickled_ranking_knows_its_origin_and_no_secret(tmp_path: Path) -> None:
    policy = UniRank(6, 3, token_key="a secret of this size")
    shown = policy.rank()
    content = pickle.dumps(shown)
    assert b"a secret" not in content
    again = pickle.loads(content)
    assert again == shown
    policy.update(again, [])


def test_a_ranking_made_by_hand_has_no_token() -> None:
    with pytest.raises(ArgumentError, match=r"^a ranking has a token only as rank\(\) gave it$"):
        assert ur.Ranking((1, 2), 1, 0.5).token


def test_a_state_file_names_the_identity_and_the_epochs(tmp_path: Path) -> None:
    policy = UniRank(6, 3, seed=1)
    policy.rank()
    other = copy_of(policy, tmp_path)
    other.rank()
    other.save(tmp_path / "copy")
    first, second = read_state_file(tmp_path / "state"), read_state_file(tmp_path / "copy")
    assert first.identity == second.identity
    assert [start for _, start in second.epochs] == [1, 2]
    assert second.epochs[:1] == first.epochs


# Copies in one process.


def pickled(policy: ur.Policy) -> Any:
    return pickle.loads(pickle.dumps(policy))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
def test_a_copy_has_a_state_of_its_own(copied: Any) -> None:
    policy = UniRank(6, 3, seed=1)
    waiting = policy.rank()
    other = copied(policy)
    policy.update(waiting, [waiting[0]])
    assert other.leader == (tuple(range(6)),)
    other.update(waiting, [waiting[1]])
    assert (policy.leader[0], other.leader[0]) == ((waiting[0],), (waiting[1],))


def test_a_copy_goes_on_as_the_original_does() -> None:
    policy = UniRank(6, 3, seed=1)
    policy.update(policy.rank(), [])
    other = copy.copy(policy)
    assert [policy.rank() for _ in range(20)] == [other.rank() for _ in range(20)]


def test_a_copy_of_a_plain_policy_has_a_state_of_its_own() -> None:
    policy: Any = ur.papers.UniRank(6, 3, seed=1)
    waiting = policy.rank()
    other = copy.copy(policy)
    policy.update(waiting, [waiting[0]])
    assert other.leader == (tuple(range(6)),)


def test_a_copy_has_the_key_and_a_pickle_has_not() -> None:
    policy = UniRank(6, 3, token_key="secret")
    token = policy.rank().token
    copy.copy(policy).update(token, [])
    assert b"secret" not in pickle.dumps(policy)
    assert told(pickle.loads(pickle.dumps(policy)), token).startswith("token is signed")
