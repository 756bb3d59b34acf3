import pytest

from unirank.errors import ArgumentError
from unirank.policies.base.unanswered import UnansweredRounds


def filled(*rounds: int, most: int = 3) -> UnansweredRounds:
    pending = UnansweredRounds(most)
    for number in rounds:
        pending.add(number, b"ranking %d" % number, b"why %d" % number)
    return pending


def test_an_unanswered_round_is_remembered_with_its_ranking_and_memory() -> None:
    assert filled(1, 2)[2] == (b"ranking 2", b"why 2")


def test_rounds_are_listed_oldest_first() -> None:
    assert [number for number, _ in filled(1, 2, 3)] == [1, 2, 3]


def test_an_answered_round_is_forgotten() -> None:
    pending = filled(1, 2)
    del pending[1]
    assert list(pending) == [(2, (b"ranking 2", b"why 2"))]


def test_an_answered_round_is_said_to_be_updated() -> None:
    pending = filled(1, 2)
    del pending[1]
    with pytest.raises(ArgumentError, match=r"^round 1 was already updated$"):
        pending[1]


def test_the_oldest_round_is_let_go_when_there_are_too_many() -> None:
    assert [number for number, _ in filled(1, 2, 3, 4, 5)] == [3, 4, 5]


def test_a_round_let_go_is_answered_with_the_limit() -> None:
    with pytest.raises(ArgumentError) as caught:
        filled(1, 2, 3, 4)[1]
    assert str(caught.value) == (
        "round 1 was already updated, or let go: at most max_pending=3 unanswered rounds are "
        "remembered"
    )


def test_a_round_after_those_let_go_was_surely_updated() -> None:
    pending = filled(1, 2, 3, 4)
    del pending[3]
    with pytest.raises(ArgumentError, match=r"^round 3 was already updated$"):
        pending[3]


def test_answered_rounds_make_room() -> None:
    pending = filled(1, 2, 3)
    del pending[2]
    pending.add(4, b"", b"")
    assert (pending.let_go, [number for number, _ in pending]) == (0, [1, 3, 4])


def test_no_more_than_the_limit_are_kept() -> None:
    assert [len(filled(*range(1, n + 1), most=4)) for n in range(8)] == [0, 1, 2, 3, 4, 4, 4, 4]


def test_a_limit_of_one_keeps_the_last_round() -> None:
    assert [number for number, _ in filled(1, 2, 3, most=1)] == [3]


def test_a_run_of_equal_memories_is_kept_once() -> None:
    pending = UnansweredRounds(10)
    for number in range(1, 6):
        pending.add(number, b"", bytes(bytearray(b"the same")))
    assert len({id(memory) for _, (_, memory) in pending}) == 1


def test_a_memory_that_comes_back_is_its_own() -> None:
    pending = UnansweredRounds(10)
    for number, memory in enumerate([b"one", b"two", b"one"]):
        pending.add(number, b"", memory)
    assert [memory for _, (_, memory) in pending] == [b"one", b"two", b"one"]
