"""The memory of a round is its test, as a record."""

import numpy as np

from unirank.policies.match_rank.memory import MEMORY, remember
from unirank.policies.match_rank.state import initial_state


def test_the_test_of_a_round_is_written_as_a_record() -> None:
    state = initial_state(4, 2, 0.2)
    state.now["slot"], state.now["other"], state.now["weight"] = 2, 69_999, 0.1
    memory = np.full(20, 255, np.uint8)
    assert remember(state, memory) == MEMORY.itemsize
    (found,) = np.frombuffer(memory[:16].tobytes(), MEMORY)
    assert found.tolist() == (2, 69_999, 0.1)
    assert memory[16:].min() == 255
