"""Oracle: it shows what it was given, whatever is clicked, and refuses what is no ranking."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from unirank import PBM, ArgumentError, simulate
from unirank.policies import Oracle
from unirank.policies.oracle.policy import propensity

USERS = PBM([0.2, 0.6, 0.4, 0.1], [1.0, 0.5])


def test_every_other_list_is_impossible() -> None:
    policy = Oracle(4, 2, ranking=[2, 0])
    policy.rank()
    chances = {one: propensity(policy.state, np.array(one)) for one in permutations(range(4), 2)}
    assert {one for one, chance in chances.items() if chance} == {(2, 0)}
    assert sum(chances.values()) == 1.0


def test_items_are_named_as_they_were_given() -> None:
    policy = Oracle(["x", 7, "y"], 2, ranking=("y", np.int64(7)))
    assert policy.rank().items == ("y", 7)
    assert policy.options == {"ranking": ["y", 7]}


def test_ten_thousand_million_rounds_are_held_at_once() -> None:
    trace = simulate(
        ("oracle", {"ranking": [3, 0]}), USERS, n_positions=2, n_rounds=10**10, n_games=1
    )
    lost = USERS.best_value(2) - USERS.value([3, 0])
    assert trace.regret[0, -1] == pytest.approx(1e10 * lost, rel=1e-12)


@pytest.mark.parametrize(
    ("ranking", "sentence"),
    [
        ([0], "ranking must have n_positions=2 items, got [0]"),
        ([0, 1, 2], "ranking must have n_positions=2 items, got [0, 1, 2]"),
        ([1, 1], "ranking must be unique, got 1 twice"),
        ([0, 4], "ranking must be among the items, got 4"),
        ([0, "0"], "ranking must be among the items, got '0'"),
        ([], "ranking must not be empty, got []"),
        ([0, 1.0], "ranking must be strings or integers, got 1.0"),
        ("01", "ranking must be a list of item ids, got '01'"),
        (2, "ranking must be a list of item ids, got 2"),
    ],
)
def test_what_is_no_ranking_is_refused_by_name(ranking: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Oracle(4, 2, ranking=ranking)
    assert str(caught.value) == sentence


def test_wrong_sizes_are_told_before_a_wrong_ranking() -> None:
    with pytest.raises(ArgumentError, match=r"^n_positions must be in 1..n_items=4, got 5$"):
        Oracle(4, 5, ranking=[0])


def test_it_must_be_given_a_ranking() -> None:
    with pytest.raises(ArgumentError, match=r"^policy 'oracle' needs ranking: "):
        simulate("oracle", USERS, n_positions=2, n_rounds=10)
