"""The measurements measure what they say; how fast is for benchmarks, not for tests."""

import pytest

from unirank import CM, list_policies
from unirank.lab import speed
from unirank.lab.bounds import Problem
from unirank.policies.base.specs import resolved

USERS = CM([0.5, 0.3, 0.1])


def test_units_are_rounds_of_random() -> None:
    assert speed.RoundTime("unirank", "x", nanoseconds=300, unit=60).units == 5


def test_the_fastest_of_alternating_repeats_counts() -> None:
    calls: list[str] = []
    times = {"a": iter([3.0, 1.0]), "b": iter([2.0, 5.0])}

    def timed(name: str) -> float:
        calls.append(name)
        return next(times[name])

    assert speed.fastest(lambda: timed("a"), lambda: timed("b"), repeats=2) == [1.0, 2.0]
    assert calls == ["a", "b", "a", "b"]


def test_rounds_are_timed_for_each_policy() -> None:
    rows = speed.per_round(["unirank", "random"], "tiny", USERS, 2, 200)
    assert [row.policy for row in rows] == ["unirank", "random"]
    assert all(row.nanoseconds > 0 and row.unit > 0 for row in rows)


def test_a_mean_over_problems_keeps_policies_apart() -> None:
    rows = [speed.RoundTime(p, "q", n, 10) for p, n in (("a", 10), ("b", 20), ("a", 30))]
    means = speed.mean_over("all", rows)
    assert {row.policy: row.nanoseconds for row in means} == {"a": 20, "b": 20}


def test_the_object_path_is_timed() -> None:
    assert speed.object_path("unirank", USERS, 2, 20) > 0
    assert speed.object_path(("toprank", {"horizon": 9}), USERS, 2, 20) > 0


def test_every_policy_gets_the_options_that_it_needs() -> None:
    found = speed.able([(name, {}) for name in list_policies()], USERS, 2, 500)
    assert dict(found)["toprank"] == {"horizon": 500}
    for spec in found:
        resolved(spec)


def test_every_policy_is_timed_on_every_problem() -> None:
    rows = speed.compare(
        ["toprank", "random"], {"a": Problem(USERS, 2), "b": Problem(USERS, 3)}, 100
    )
    assert [(row.policy, row.problem) for row in rows] == [
        ("toprank", "a"),
        ("random", "a"),
        ("toprank", "b"),
        ("random", "b"),
    ]
    assert all(row.units > 0 for row in rows)


def test_plain_editions_are_timed_where_there_is_one() -> None:
    times = speed.plain_times(["toprank", "unirank", "nobody"], Problem(USERS, 2), 50)
    assert sorted(times) == ["toprank", "unirank"]
    assert min(times.values()) > 0


def test_memory_counts_every_array_of_the_state() -> None:
    wins = 8 * 100 * 100 / 1e6
    assert wins < speed.state_megabytes("unirank", 100, 10, 100) < 2 * wins + 0.1


@pytest.mark.parametrize(("n_items", "n_positions"), [(10, 5), (100, 10)])
def test_growth_problems_have_the_asked_size(n_items: int, n_positions: int) -> None:
    users = speed.growth_problem(n_items, n_positions)
    assert (users.n_items, users.n_positions) == (n_items, n_positions)
