"""Each round of another copy is answered once, and the memory of that is bounded."""

from random import Random

import pytest

from unirank import ArgumentError
from unirank.page.answered_elsewhere import MOST_EPOCHS, WINDOW, AnsweredElsewhere


def is_answered(rounds: AnsweredElsewhere, epoch: int, number: int) -> bool:
    try:
        rounds.check(epoch, number)
    except ArgumentError:
        return True
    return False


def test_rounds_are_those_of_a_set() -> None:
    draw, rounds, wanted = Random(1), AnsweredElsewhere(), set[tuple[int, int]]()
    for _ in range(3000):
        epoch, number = draw.randint(1, 4), draw.randint(1, 2000)
        assert is_answered(rounds, epoch, number) == ((epoch, number) in wanted)
        if (epoch, number) not in wanted:
            rounds.add(epoch, number)
            wanted.add((epoch, number))
        if draw.random() < 0.01:
            again = AnsweredElsewhere()
            again.restore(rounds.to_plain())
            rounds = again


def test_a_round_before_the_window_counts_as_answered() -> None:
    rounds = AnsweredElsewhere()
    rounds.add(1, 5)
    rounds.add(1, 5 + 2 * WINDOW)
    with pytest.raises(ArgumentError, match=r"^round 6 of another copy is too old: the last"):
        rounds.check(1, 6)
    assert len(rounds.to_plain()[0][2]) == WINDOW // 8


def test_rounds_before_the_first_one_met_can_be_answered() -> None:
    rounds = AnsweredElsewhere()
    rounds.add(1, 10**9)
    rounds.check(1, 10**9 - WINDOW // 4)


def test_the_epoch_met_longest_ago_is_forgotten() -> None:
    rounds = AnsweredElsewhere()
    for epoch in range(MOST_EPOCHS):
        rounds.add(epoch, 1)
    rounds.add(0, 2)
    rounds.add(MOST_EPOCHS, 1)
    assert len(rounds.to_plain()) == MOST_EPOCHS
    assert is_answered(rounds, 0, 1)
    assert not is_answered(rounds, 1, 1)
