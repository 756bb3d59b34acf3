"""A plan makes the games of a trace, here or in another process, and tells the trace what it is."""

import pickle
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from unirank import PBM, Segments, Trace, simulate, users
from unirank.errors import ArgumentError
from unirank.lab.simulation.plan import GamePlan
from unirank.policies import PerContext, RandomOrder, TopRank, UniRank
from unirank.registry import imported

USERS = PBM([0.5, 0.4, 0.1], [1.0, 0.5])
DEVICES = [{"device": "mobile"}, {"device": "desktop"}]
SEGMENTS = Segments(DEVICES, [0.7, 0.3], [USERS, PBM([0.1, 0.4, 0.5], [1.0, 0.5])])


def plan(**other: object) -> GamePlan:
    settings: dict[str, object] = {
        "policy": UniRank,
        "options": {},
        "users": USERS,
        "n_positions": 2,
        "n_rounds": 500,
        "seed": 3,
        "checkpoints": np.array([100, 500]),
    }
    return GamePlan(**settings | other)  # type: ignore[arg-type]


def played(one: GamePlan, *numbers: int) -> Trace:
    regret = {}
    for number in numbers:
        game = one.new_game(number)
        game.advance(one.n_rounds)
        regret[number] = game.regret
    return one.trace(regret)


def test_its_games_are_those_of_simulate() -> None:
    asked = {"n_positions": 2, "n_rounds": 500, "seed": 3, "checkpoints": [100, 500]}
    whole = simulate("unirank", USERS, n_games=3, **asked)  # type: ignore[arg-type]
    found = played(plan(), 2, 1)
    assert found.games.tolist() == [1, 2]
    assert np.array_equal(found.regret, whole.regret[1:])
    assert found.best_ranking == whole.best_ranking == [0, 1]


def test_its_recipe_has_the_names_and_values_of_the_trace() -> None:
    labels = {"experiment": "e", "experiment_version": 2, "problem": "p", "part": "t", "curve": "c"}
    one = plan(policy=TopRank, options={"horizon": 9}, objective="any-click", **labels)
    recipe, trace = one.recipe(), played(one, 0)
    assert {name: getattr(trace, name) for name in recipe} == recipe
    assert {name: recipe[name] for name in labels} == labels
    only_of_the_trace = {"games", "rounds", "regret", "best_ranking", "interrupted", "versions"}
    assert recipe.keys() | only_of_the_trace == {each.name for each in fields(Trace)}


def test_a_label_is_the_name_of_the_curve_or_policy_and_options() -> None:
    assert plan(curve="Ours").label == "Ours"
    assert plan(policy=TopRank, options={"horizon": 10**7}).label == "toprank (horizon=10^7)"
    assert played(plan(), 0).label == plan().label == "unirank"


def test_a_ranking_that_is_given_is_what_regret_is_measured_against() -> None:
    one = plan(policy=RandomOrder, given_best=(2, 1))
    assert played(one, 0).best_ranking == [2, 1]
    assert played(one, 0).regret[0, -1] < 0 < played(plan(policy=RandomOrder), 0).regret[0, -1]


def test_another_process_plays_the_same_games() -> None:
    one = plan(curve="Ours", given_best=(0, 2))
    there = GamePlan.from_plain(pickle.loads(pickle.dumps(one.to_plain())))
    assert there.recipe() == one.recipe()
    assert np.array_equal(played(there, 4).regret, played(one, 4).regret)


def test_another_process_plays_the_same_games_against_segments() -> None:
    options = {"policy": ["unirank", {}], "by": ["device"]}
    one = plan(policy=PerContext, options=options, users=SEGMENTS)
    assert played(one, 4).best_ranking == [[0, 1], [2, 1]]
    there = GamePlan.from_plain(pickle.loads(pickle.dumps(one.to_plain())))
    assert there.recipe() == one.recipe()
    assert np.array_equal(played(there, 4).regret, played(one, 4).regret)


def test_another_process_imports_a_class_of_the_users_own_in_segments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shy_visitors.py").write_text(
        "from unirank.users import CM, registry\n\n"
        '@registry.register("shy")\nclass Shy(CM):\n    pass\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    try:
        shy = imported("shy_visitors:Shy")
        one = plan(users=Segments(DEVICES, [0.7, 0.3], [shy([0.5, 0.1, 0.1])] * 2))
        plain = pickle.dumps(one.to_plain())
        del sys.modules["shy_visitors"]
        users.registry.remove("shy")  # now it is as in a process that does not know the class
        there = GamePlan.from_plain(pickle.loads(plain))
        assert there.users.to_dict() == one.users.to_dict()
    finally:
        sys.modules.pop("shy_visitors", None)
        users.registry.remove("shy")


@pytest.mark.parametrize(
    ("key", "value"), [("policy", "nowhere:Mine"), ("users_classes", ["nowhere:Shy"])]
)
def test_a_class_that_another_process_lacks_is_an_error_of_ours(key: str, value: str) -> None:
    plain = plan().to_plain() | {key: value}
    with pytest.raises(ArgumentError, match="cannot import 'nowhere': ModuleNotFoundError"):
        GamePlan.from_plain(plain)
