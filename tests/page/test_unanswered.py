"""Unanswered rounds are remembered, oldest let go, in little room."""

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.page.unanswered import FEW_DIFFERENT, UnansweredRounds
from unirank.policies.base.batch_memories import BatchMemories


def filled(*rounds: int, most: int = 3) -> UnansweredRounds:
    pending = UnansweredRounds(most, 100, 2)
    for number in rounds:
        add(pending, number)
    return pending


def add(pending: UnansweredRounds, number: int, memory: bytes = b"why") -> None:
    pending.add(number, np.array([number % 100, number // 100]).tobytes(), memory)


def answer(pending: UnansweredRounds, number: int) -> None:
    pending.remove(pending.find(number))


def numbers(pending: UnansweredRounds) -> list[int]:
    return [number for number, _ in pending]


def test_an_unanswered_round_is_remembered_with_its_ranking_and_memory() -> None:
    pending = filled(1, 2)
    for number in (1, 2):
        found, ranking, memory = pending[pending.find(number)]
        assert (found, ranking.tolist(), memory) == (number, [number, 0], b"why")


def test_rounds_are_listed_oldest_first() -> None:
    assert numbers(filled(1, 2, 3)) == [1, 2, 3]


def test_an_answered_round_is_forgotten() -> None:
    pending = filled(1, 2)
    answer(pending, 1)
    assert list(pending) == [(2, [2, 0])]


def test_an_answered_round_is_said_to_be_updated() -> None:
    pending = filled(1, 2)
    answer(pending, 1)
    with pytest.raises(ArgumentError, match=r"^round 1 was already updated$"):
        pending.find(1)


def test_the_oldest_round_is_let_go_when_there_are_too_many() -> None:
    assert numbers(filled(1, 2, 3, 4, 5)) == [3, 4, 5]


def test_a_round_let_go_is_answered_with_the_limit() -> None:
    with pytest.raises(ArgumentError) as caught:
        filled(1, 2, 3, 4).find(1)
    assert str(caught.value) == (
        "round 1 was already updated, or let go: at most max_pending=3 unanswered rounds are "
        "remembered"
    )


def test_a_round_after_those_let_go_was_surely_updated() -> None:
    pending = filled(1, 2, 3, 4)
    answer(pending, 3)
    with pytest.raises(ArgumentError, match=r"^round 3 was already updated$"):
        pending.find(3)


def test_answered_rounds_make_room() -> None:
    pending = filled(1, 2, 3)
    answer(pending, 2)
    add(pending, 4)
    assert (pending.let_go, numbers(pending)) == (0, [1, 3, 4])


def test_no_more_than_the_limit_are_kept() -> None:
    assert [len(filled(*range(1, n + 1), most=4)) for n in range(8)] == [0, 1, 2, 3, 4, 4, 4, 4]


def test_a_limit_of_one_keeps_the_last_round() -> None:
    assert numbers(filled(1, 2, 3, most=1)) == [3]


def test_each_memory_is_kept_once() -> None:
    pending = UnansweredRounds(1000, 100, 2)
    for number in range(1, 1001):
        add(pending, number, b"one" if number % 3 else b"two")
    rows, memories = pending.to_plain()
    assert sorted(memories) == [b"one", b"two"]
    assert [memories[m] for m in rows["memory"][:3]] == [b"one", b"one", b"two"]


def test_a_memory_that_no_round_has_any_more_is_forgotten() -> None:
    pending = UnansweredRounds(10, 100, 2)
    for number, memory in enumerate([b"one", b"two", b"three"], start=1):
        add(pending, number, memory)
    answer(pending, 2)
    add(pending, 4, b"four")
    assert sorted(pending.to_plain()[1]) == [b"four", b"one", b"three"]
    assert len(pending._memories) == 3
    assert pending[pending.find(3)][2] == b"three"


@pytest.mark.parametrize("most", [1, 2, 7, 100, 1000])
def test_rounds_in_any_order_are_those_of_a_dict(most: int) -> None:
    draw, pending, wanted, let_go = Random(most), filled(most=most), dict[int, bytes](), 0
    for number in range(1, 3000):
        if draw.random() < 0.01:  # some rounds are given by another object
            continue
        memory = b"%d" % draw.randint(0, 5)
        add(pending, number, memory)
        wanted[number] = memory
        if len(wanted) > most:
            let_go = min(wanted)
            del wanted[let_go]
        while wanted and draw.random() < 0.5:
            found = draw.choice(sorted(wanted)[-50:])
            number_found, ranking, memory = pending[pending.find(found)]
            assert (number_found, memory) == (found, wanted.pop(found))
            assert ranking.tolist() == [found % 100, found // 100]
            answer(pending, found)
    assert (numbers(pending), pending.let_go, len(pending)) == ([*wanted], let_go, len(wanted))
    rows, memories = pending.to_plain()
    assert [memories[m] for m in rows["memory"]] == [*wanted.values()]


def test_many_rounds_take_little_room() -> None:
    pending = filled(*range(1, 100_001), most=100_000)
    assert pending._rows.nbytes < 5_000_000


def test_a_table_that_was_saved_goes_on() -> None:
    pending = filled(*range(1, 201), most=150)
    answer(pending, 120)
    rows, memories = pending.to_plain()
    again = UnansweredRounds(150, 100, 2)
    again.restore({name: rows[name] for name in rows.dtype.names or ()}, memories, 50)
    for number in range(201, 400):
        add(pending, number)
        add(again, number)
    assert (list(again), again.let_go) == (list(pending), pending.let_go)


def test_a_table_of_more_rounds_than_allowed_lets_the_oldest_go() -> None:
    rows, memories = filled(1, 2, 3, 4, most=10).to_plain()
    again = UnansweredRounds(2, 100, 2)
    again.restore({name: rows[name] for name in rows.dtype.names or ()}, memories, 0)
    assert (numbers(again), again.let_go) == ([3, 4], 2)


def test_item_numbers_beyond_two_bytes_are_kept() -> None:
    pending = UnansweredRounds(5, 70_000, 1)
    for number in (1, 2):
        pending.add(number, np.array([69_999]).tobytes(), b"")
    assert [ranking for _, ranking in pending] == [[69_999], [69_999]]


def batch(first: int, memories: list[bytes], which: list[int]) -> BatchMemories:
    """Memories of rounds from `first` on, `which` says the number of each."""
    made = BatchMemories(first, np.array(which, np.int32))
    words = [memory.ljust(-(-len(memory) // 8) * 8, b"\0") for memory in memories]
    starts = np.cumsum([0, *map(len, words)])[:-1] // 8
    packed = np.frombuffer(b"".join(words), np.uint64)
    made.append(np.array([len(memory) for memory in memories]), starts, packed)
    return made


def rankings(first: int, n: int) -> NDArray[np.int64]:
    return np.array([[number % 100, number // 100] for number in range(first, first + n)])


@pytest.mark.parametrize("n_memories", [1, FEW_DIFFERENT, FEW_DIFFERENT + 1, 100])
def test_rounds_of_batches_are_those_of_a_dict(n_memories: int) -> None:
    draw, pending, wanted = Random(n_memories), filled(most=150), dict[int, bytes]()
    first = 1
    for _ in range(60):
        n = draw.randint(1, 150)
        which = [draw.randrange(n_memories) for _ in range(n)]
        memories = [b"%d" % nth * 5 for nth in range(n_memories)]
        pending.add_many(rankings(first, n), batch(first, memories, which))
        wanted |= {first + nth: memories[which[nth]] for nth in range(n)}
        first += n
        if draw.random() < 0.5:
            add(pending, first)
            wanted[first] = b"why"
            first += 1
        wanted = dict(sorted(wanted.items())[-150:])
        for number in draw.sample(sorted(wanted), draw.randint(0, len(wanted))):
            found, ranking, memory = pending[pending.find(number)]
            assert (found, memory, ranking[0]) == (number, wanted.pop(number), number % 100)
            answer(pending, number)
        assert list(pending) == [(number, [number % 100, number // 100]) for number in wanted]
        rows, kept = pending.to_plain()
        assert [kept[m] for m in rows["memory"]] == [*wanted.values()]


def test_a_batch_is_forgotten_with_its_last_round() -> None:
    pending = filled(most=100)
    memories = [b"%d" % number for number in range(60)]
    pending.add_many(rankings(1, 60), batch(1, memories, [*range(60)]))
    for number in range(1, 61):
        assert len(pending._memories) == 1
        answer(pending, number)
    assert len(pending._memories) == 0


def test_memories_of_rounds_let_go_in_a_batch_are_forgotten() -> None:
    pending = filled(most=100)
    for first in range(1, 1001, 100):
        pending.add_many(rankings(first, 100), batch(first, [b"%d" % first], [0] * 100))
    assert len(pending._memories) == 1


def test_clicks_noted_on_rounds_let_go_in_a_batch_are_forgotten() -> None:
    pending = filled(*range(1, 71), most=100)
    pending.clicked = {3: {3}, 69: {69}}
    pending.add_many(rankings(71, 80), batch(71, [b"why"], [0] * 80))
    assert pending.clicked == {69: {69}}
    assert pending.let_go == 50
