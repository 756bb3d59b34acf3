"""A BatchRank stage ends as in the specification and in the plain edition."""

import numpy as np
import pytest

from unirank import papers
from unirank.policies import BatchRank
from unirank.policies.batch_rank.stages import end_stage
from unirank.policies.batch_rank.state import stage_length


def ended(clicked: list[int], n_positions: int, horizon: int = 100) -> BatchRank:
    """A BatchRank whose first stage has just ended with these clicks."""
    policy = BatchRank(len(clicked), n_positions, horizon=horizon)
    policy.state.clicked[:] = clicked
    end_stage(policy.state, 0)
    return policy


@pytest.mark.parametrize(
    ("clicked", "n_positions", "batches"),
    [
        ([74, 0, 0], 3, ((0,), (1, 2))),
        ([74, 74, 0], 3, ((0, 1), (2,))),
        ([0, 37, 74], 3, ((1, 2), (0,))),  # both cuts are possible: the largest is taken
        ([30, 31, 29], 3, ((0, 1, 2),)),
        ([74, 0, 37, 0, 0], 2, ((0,), (1, 2, 3, 4))),  # nothing is dropped in a split
        ([30, 0, 31, 0, 0], 2, ((0, 2),)),
        ([30, 29, 31, 0, 30], 2, ((0, 1, 2, 4),)),
        ([0, 0, 74], 1, ((2,),)),
        ([0, 0, 0], 1, ((0, 1, 2),)),
        ([74], 1, ((0,),)),
    ],
)
def test_a_stage_ends_in_a_split_or_else_by_dropping(
    clicked: list[int], n_positions: int, batches: tuple[tuple[int, ...], ...]
) -> None:
    policy = ended(clicked, n_positions)
    assert policy.batches == batches
    assert policy.state.clicked.sum() == 0
    assert sorted(policy.state.order.tolist()) == list(range(len(clicked)))
    assert policy.state.stage[0] == (len(batches) == 1)


@pytest.mark.parametrize("number", range(100))
def test_the_end_of_a_stage_is_that_of_the_plain_edition(number: int) -> None:
    draw = np.random.default_rng(number)
    n_items = int(draw.integers(1, 9))
    n_positions = int(draw.integers(1, n_items + 1))
    horizon = int(draw.choice([2, 3, 10, 1000]))
    n = stage_length(0, horizon)
    clicked = draw.binomial(n, draw.choice([0, 0.1, 0.5, 0.6, 0.9, 1], n_items)).tolist()
    literal = papers.BatchRank(n_items, n_positions, horizon=horizon)
    literal.clicks[:] = clicked
    expected = [sorted(after["items"]) for after in literal.end_stage(literal.batches[0], n)]
    assert [list(items) for items in ended(clicked, n_positions, horizon).batches] == expected


def test_the_last_stage_repeats() -> None:
    policy = BatchRank(2, 2, horizon=10)
    for _ in range(30):
        end_stage(policy.state, 0)
    assert policy.state.stage[0] == 20
    assert policy.state.lengths[20] == stage_length(20, 10)
