"""What was played comes back as it was, and nothing else is taken for it."""

from random import Random

import numpy as np
import pytest

from unirank.policies.shared.partition_memory import could_be_played, played_memory, recall_played

SHOWN = np.array([4, 2, 0, 5, 1])
ENDS = np.array([1, 5, 5])  # ({4}, {2, 0, 5, 1}), three of them displayed


def test_what_was_played_is_recalled() -> None:
    memory = played_memory(np.append(SHOWN, 9), ENDS)
    shown, ends = np.full(6, -1), np.zeros(3, np.int64)
    recall_played(SHOWN[:3], memory, shown, ends)
    assert (shown.tolist(), ends.tolist()) == ([4, 2, 0, 5, 1, -1], [1, 5, 5])


def test_what_was_played_could_be() -> None:
    assert could_be_played(SHOWN[:3], played_memory(SHOWN, ENDS), 6)


@pytest.mark.parametrize(
    "numbers", [[], [1, 5], [1, 5, 5], [1, 5, 5, 5, 6], [1, 5, 5, 5, 2], [1, 5, 5, 3], [1, 2, 2]]
)
def test_what_no_partition_gives_could_not(numbers: list[int]) -> None:
    assert not could_be_played(SHOWN[:3], np.array(numbers, np.int64).tobytes(), 6)


def test_random_numbers_could_hardly_be_played() -> None:
    draw = Random(1)
    for _ in range(300):
        numbers = np.array([draw.randint(-1, 7) for _ in range(draw.randint(0, 6))], np.int64)
        if could_be_played(SHOWN[:3], numbers.tobytes(), 6):
            shown, ends = np.zeros(6, np.int64), np.zeros(3, np.int64)
            recall_played(SHOWN[:3], numbers.tobytes(), shown, ends)  # fits into the state
            assert ends[-1] <= 6
