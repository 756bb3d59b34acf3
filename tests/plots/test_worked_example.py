"""The example is the paper's figure, after its errata."""

import numpy as np

from unirank.plots.worked_example import worked_example
from unirank.policies.uni_rank.leader import elicit_leader


def test_the_leader_is_elicited_from_the_signs() -> None:
    policy = worked_example()
    wins = policy.state.wins
    expected = ((0, 1), (2,), (3, 4), (5, 6))
    assert elicit_leader(np.sign(wins - wins.T), 4) == expected
    assert policy.leader == tuple(tuple(i + 1 for i in group) for group in expected)
    assert wins[6, 5] > wins[5, 6]  # 7 is ahead of 6, and both stay in one subset


def test_the_second_neighbour_has_the_largest_index() -> None:
    explanation = worked_example().explain()
    assert [(n.ahead, n.behind) for n in explanation.neighbours] == [
        ((1, 2), (3,)), ((3,), (4, 5)), ((4, 5), (6,)), ((4, 5), (7,)),
    ]  # fmt: skip
    assert explanation.trying == (explanation.neighbours[1],)
    assert explanation.neighbours[1].index > 0 > explanation.neighbours[2].index


def test_the_list_is_that_of_the_paper() -> None:
    shown = worked_example().rank()
    assert shown.items == (2, 1, 3, 5)
    assert shown.propensity == 1 / 12
