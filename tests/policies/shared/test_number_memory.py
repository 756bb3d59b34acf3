"""Numbers are written as numpy's `tobytes` writes them."""

import numpy as np
import pytest

from unirank.policies.shared.number_memory import write_number, write_share


@pytest.mark.parametrize("value", [0, 1, -1, 255, 2**40 + 3, -(2**63), 2**63 - 1])
def test_an_integer(value: int) -> None:
    memory = np.zeros(10, np.uint8)
    assert write_number(memory, 1, value) == 9
    assert memory[1:9].tobytes() == np.array([value], np.int64).tobytes()
    assert not memory[0]
    assert not memory[9]


@pytest.mark.parametrize("value", [0.0, 1.0, 1 / 3, -1e300, 5e-324])
def test_a_floating_point_number(value: float) -> None:
    memory = np.zeros(8, np.uint8)
    assert write_share(memory, 0, value) == 8
    assert memory.tobytes() == np.array([value]).tobytes()
