"""BatchRank's stage lengths, and the statistics that a file may hold."""

from typing import Any

import numpy as np
import pytest

from tests.policies.batch_rank.test_stages import ended
from unirank import ArgumentError
from unirank.policies import BatchRank
from unirank.policies.batch_rank.stages import end_stage
from unirank.policies.batch_rank.state import stage_length


def test_stage_lengths_are_those_of_the_specification() -> None:
    assert [stage_length(stage, 10**7) for stage in range(4)] == [258, 1032, 4127, 16505]
    assert stage_length(0, 1) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("order", [0, 1, 2, 2]),
        ("order", [0, 1, 2]),
        ("order", [0, 1, 2, 4]),
        ("clicked", [9, 0, 0, 0]),
        ("clicked", [-1, 0, 0, 0]),
        ("clicked", [0, 0]),
        ("ends", [2, 3, 3]),
        ("ends", [0, 3, 3]),
        ("ends", [4, 4, 4]),
        ("ends", [3, 3]),
        ("ends", [-1, 3, 3]),
        ("stage", [21, 0, 0]),
        ("views", [37, 0, 0]),
        ("views", [-1, 0, 0]),
        ("seen", [4, 0, 0]),
        ("since", [1, 1, 1]),
        ("clock", [2, 0]),
        ("clock", [5, 0]),
        ("clock", [4, -1]),
        ("clock", [4]),
    ],
)
def test_wrong_statistics_are_refused(name: str, value: Any) -> None:
    policy = BatchRank(4, 3, horizon=10)
    with pytest.raises(ArgumentError, match=name):
        policy.restore({**policy.statistics(), name: np.array(value)})


def test_batches_and_stages_are_restored() -> None:
    policy = ended([74, 0, 0], 3)
    end_stage(policy.state, 1)
    copy = BatchRank(3, 3, horizon=100)
    copy.restore(policy.statistics())
    assert copy.batches == policy.batches == ((0,), (1, 2))
    assert copy.state.stage.tolist() == [0, 1, 0]
