"""All policies on one problem, each told what it needs."""

from tests.reference.twins import TWINS
from unirank import PBM, list_policies
from unirank.lab.comparison import compare, needs_of, twin_times
from unirank.policies import registry

USERS = PBM([0.1, 0.3, 0.2], [1.0, 0.5, 0.1])


def test_a_policy_is_told_the_horizon_of_the_game() -> None:
    assert needs_of("toprank", USERS, 2, 500) == {"horizon": 500}
    assert needs_of("unirank", USERS, 2, 500) == {}


def test_what_a_policy_is_told_is_all_it_needs() -> None:
    for name in list_policies():
        registry[name].check_options(needs_of(name, USERS, 2, 500))


def test_every_policy_is_timed_on_every_problem() -> None:
    rows = compare(["toprank", "random"], {"a": (USERS, 2), "b": (USERS, 3)}, 100)
    assert [(row.policy, row.problem) for row in rows] == [
        ("toprank", "a"),
        ("random", "a"),
        ("toprank", "b"),
        ("random", "b"),
    ]
    assert all(row.units > 0 for row in rows)


def test_twins_are_timed_beside_them() -> None:
    built = []

    class Twin:
        def rank(self) -> list[int]:
            return [0, 1]

        def update(self, ranking: list[int], clicks: list[bool]) -> None:
            assert len(clicks) == 2

    def build(n_items: int, n_positions: int, options: object) -> Twin:
        built.append((n_items, n_positions, options))
        return Twin()

    times = twin_times(["toprank", "unirank"], {"toprank": build}, (USERS, 2), 50)
    assert built == [(3, 2, {"horizon": 50})]
    assert list(times) == ["toprank"]
    assert times["toprank"] > 0


def test_every_policy_has_a_literal_twin_that_can_be_timed() -> None:
    assert sorted(TWINS) == list_policies()
    for name, build in TWINS.items():
        twin = build(USERS.n_items, 2, needs_of(name, USERS, 2, 50))
        for _ in range(5):
            ranking = twin.rank()
            assert len(set(ranking)) == 2, name
            twin.update(ranking, [True, False])
