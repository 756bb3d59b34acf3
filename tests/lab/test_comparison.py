"""All policies on one problem, each told what it needs."""

from unirank import PBM, list_policies
from unirank.lab.comparison import compare, told
from unirank.policies import registry

USERS = PBM([0.1, 0.3, 0.2], [1.0, 0.5, 0.1])


def test_a_policy_is_told_the_horizon_of_the_game() -> None:
    assert told("toprank", USERS, 2, 500) == {"horizon": 500}
    assert told("unirank", USERS, 2, 500) == {}


def test_what_a_policy_is_told_is_all_it_needs() -> None:
    for name in list_policies():
        registry[name].check_options(told(name, USERS, 2, 500))


def test_every_policy_is_timed_on_every_problem() -> None:
    rows = compare(["toprank", "random"], {"a": (USERS, 2), "b": (USERS, 3)}, 100)
    assert [(row.policy, row.problem) for row in rows] == [
        ("toprank", "a"),
        ("random", "a"),
        ("toprank", "b"),
        ("random", "b"),
    ]
    assert all(row.units > 0 for row in rows)
