"""A unimodal problem is checked to be one, and pays what it says."""

from typing import Any

import numpy as np
import pytest

from unirank import ArgumentError
from unirank.lab.ancestors import UnimodalProblem
from unirank.lab.ancestors.unimodal_problem import draw, value
from unirank.policies.kernels.randomness import USERS, address


def test_a_line_with_one_peak_is_unimodal() -> None:
    problem = UnimodalProblem.line([0.1, 0.3, 0.5, 0.3, 0.1])
    assert (problem.best_arm, problem.best_value, problem.n_arms) == (2, 0.5, 5)
    assert repr(problem) == (
        "UnimodalProblem(means=[0.1, 0.3, 0.5, 0.3, 0.1], "
        "neighbours=[(1,), (0, 2), (1, 3), (2, 4), (3,)])"
    )


def test_edges_make_the_same_problem_as_lists_of_neighbours() -> None:
    star = UnimodalProblem.from_edges([0.9, 0.2, 0.2], [(0, 1), (0, 2)])
    assert star.neighbours == UnimodalProblem([0.9, 0.2, 0.2], [[1, 2], [0], [0]]).neighbours


@pytest.mark.parametrize(
    ("means", "neighbours", "sentence"),
    [
        (
            [0.5, 0.1, 0.4],
            [[1], [0, 2], [1]],
            "means must be unimodal on the graph, got arm 2 with mean 0.4 and no better "
            "neighbour, while arm 0 has mean 0.5",
        ),
        (
            [0.5, 0.5],
            [[1], [0]],
            "means must be unimodal on the graph, got arm 1 with mean 0.5 and no better "
            "neighbour, while arm 0 has mean 0.5",
        ),
        ([0.5, 1.5], [[1], [0]], "means[1] must be in [0, 1], got 1.5"),
        ([0.5], [[1], [0]], "neighbours must be given for 1 arms, got 2"),
    ],
)
def test_a_wrong_problem_is_refused_with_the_arm_that_breaks_it(
    means: Any, neighbours: Any, sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        UnimodalProblem(means, neighbours)
    assert str(caught.value) == sentence


def test_an_arm_pays_as_often_as_its_mean_says() -> None:
    problem = UnimodalProblem.line([0.2, 0.7])
    model, outcome, paid = problem.shuffled(np.arange(2)), np.zeros(1, np.bool_), np.zeros(2)
    for round_ in range(1, 4001):
        for arm in (0, 1):
            draw(model, np.array([arm]), address(1, 0, USERS, round_), outcome)
            paid[arm] += outcome[0]
    np.testing.assert_allclose(paid / 4000, [0.2, 0.7], atol=0.03)  # four standard deviations
    assert value(model, np.array([1]), np.zeros(1)) == 0.7
