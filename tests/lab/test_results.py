"""A folder of shards: what is there is not played again, and nothing foreign is mixed in."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.lab.small import SMALL
from unirank import CM, ArgumentError
from unirank.lab import results
from unirank.lab.blocks import Block, blocks_of, plans_of, play
from unirank.lab.results import Results
from unirank.lab.simulation.checkpoints import as_published
from unirank.lab.simulation.plan import GamePlan
from unirank.policies import RandomOrder

PLAN, OTHER = plans_of(SMALL, SMALL.policies, n_rounds=100, seed=4)


def fill(out: Path, plan: GamePlan, games: list[int]) -> None:
    for block in blocks_of(plan, games):
        Results(out).save(block, play(block))


def test_only_what_is_missing_is_left_to_play(tmp_path: Path) -> None:
    fill(tmp_path, PLAN, [0, 1, 5])
    left = Results(tmp_path).missing_blocks([PLAN, OTHER], 7)
    assert [(block.plan.policy.name, block.games) for block in left] == [
        ("unirank", [2, 3, 4]),
        ("unirank", [6]),
        ("toprank", [0, 1, 2, 3, 4]),
        ("toprank", [5, 6]),
    ]
    fill(tmp_path, PLAN, [2, 3, 4, 6])
    assert Results(tmp_path).missing_blocks([PLAN], 7) == []


def test_shards_become_one_trace_with_each_game_once(tmp_path: Path) -> None:
    fill(tmp_path / "one", PLAN, [3, 4])
    fill(tmp_path / "two", PLAN, [0, 1, 2, 3])
    fill(tmp_path / "two", OTHER, [0])
    found = {trace.policy: trace for trace in results.load_results([tmp_path])}
    assert found["unirank"].games.tolist() == [0, 1, 2, 3, 4]
    (whole,) = blocks_of(PLAN, range(5))
    assert np.array_equal(found["unirank"].regret, play(whole).regret)
    assert found["toprank"].n_games == 1


def test_results_of_another_experiment_are_not_mixed_in(tmp_path: Path) -> None:
    (block,) = blocks_of(PLAN, [0])
    Results(tmp_path).save(block, replace(play(block), experiment_version=2))
    with pytest.raises(ArgumentError, match=r"has experiment_version=2 where this run has 3"):
        Results(tmp_path).missing_blocks([PLAN], 1)


def test_names_of_files_are_plain() -> None:
    assert results.slug("TopRank, T = 10^12 / ünï") == "TopRank-T-=-10-12-n"
    assert results.slug("../..") == "..-.."
    assert results.slug("/") == "-"


def test_names_in_any_script_stay_apart() -> None:
    assert results.distinct_slug("dbn 17") == "dbn-17"
    names = ["обувь", "туфли", "..", ".", "", "/", "shoes é", "shoes è", "x" * 300, "x" * 301]
    slugs = [results.distinct_slug(name) for name in names]
    assert len(set(slugs)) == len(names)
    assert all(len(name) < 120 and name.strip(".") and "/" not in name for name in slugs)


def test_a_folder_begun_with_another_version_is_refused_whatever_its_problems(
    tmp_path: Path,
) -> None:
    fill(tmp_path, PLAN, [0])
    changed = replace(PLAN, problem="another", experiment_version=8)
    with pytest.raises(ArgumentError, match=r"has experiment_version=3 where .* has 8"):
        Results(tmp_path).missing_blocks([changed], 1)


def test_results_with_other_checkpoints_are_not_mixed_in(tmp_path: Path) -> None:
    fill(tmp_path, PLAN, [0])
    other = replace(PLAN, checkpoints=as_published(PLAN.n_rounds))
    with pytest.raises(ArgumentError, match="has other checkpoints; choose another --out"):
        Results(tmp_path).missing_blocks([other], 1)


def test_objectives_are_kept_apart(tmp_path: Path) -> None:
    fill(tmp_path, PLAN, [0])
    first = replace(PLAN, objective="first-click")
    assert len(Results(tmp_path).missing_blocks([first], 1)) == 1
    fill(tmp_path, first, [0])
    assert Results(tmp_path).missing_blocks([PLAN, first], 1) == []
    assert (tmp_path / "small/rounds-100-seed-4-first-click").is_dir()
    found = {trace.objective: trace for trace in results.load_results([tmp_path])}
    assert sorted(found) == ["clicks", "first-click"]
    assert found["clicks"].regret[0, -1] != found["first-click"].regret[0, -1]


def test_games_of_another_objective_are_not_mixed_in(tmp_path: Path) -> None:
    (block,) = blocks_of(PLAN, [0])
    Results(tmp_path).save(block, replace(play(block), objective="any-click"))
    with pytest.raises(ArgumentError, match=r"has objective='any-click' where .* has 'clicks'"):
        Results(tmp_path).missing_blocks([PLAN], 1)


def own(module: str) -> GamePlan:
    cls = type("Mine", (RandomOrder,), {"__module__": module, "name": "Mine"})
    return replace(PLAN, policy=cls)


def own_users(module: str) -> GamePlan:
    cls = type("Shy", (CM,), {"__module__": module, "name": "shy"})
    return replace(PLAN, users=cls([0.5, 0.4, 0.1]))


def put(out: Path, plan: GamePlan, **classes: str) -> None:
    """Save a game of another plan as one of this plan, with the module of its class or without."""
    (played,) = blocks_of(PLAN, [0])
    names = ("policy", "policy_class", "click_model", "click_model_class")
    recipe: dict[str, Any] = {name: plan.recipe()[name] for name in names} | classes
    Results(out).save(Block(plan, [0]), replace(play(played), **recipe))


@pytest.mark.parametrize(
    ("plan_of", "name"),
    [(own, "Mine"), (own_users, "Shy")],
)
def test_classes_of_one_name_in_two_modules_are_told_apart(
    tmp_path: Path, plan_of: Callable[[str], GamePlan], name: str
) -> None:
    put(tmp_path, plan_of("one"))
    assert Results(tmp_path).missing_blocks([plan_of("one")], 1) == []
    with pytest.raises(ArgumentError, match=rf"'one:{name}' where this run has 'two:{name}'; choo"):
        Results(tmp_path).missing_blocks([plan_of("two")], 1)


def test_games_of_an_own_class_without_its_module_are_not_taken_for_ones_own(
    tmp_path: Path,
) -> None:
    put(tmp_path, own("one"), policy_class="")  # as an earlier version wrote it
    with pytest.raises(ArgumentError, match=r"has the policy 'Mine' where this run has 'one:Mine'"):
        Results(tmp_path).missing_blocks([own("one")], 1)


def test_a_class_that_has_the_label_of_one_of_ours_is_not_mixed_in(tmp_path: Path) -> None:
    fill(tmp_path, PLAN, [0])
    mine = replace(own("one"), curve=PLAN.label)
    with pytest.raises(ArgumentError, match=r"the policy 'unirank' where this run has 'one:Mine'"):
        Results(tmp_path).missing_blocks([mine], 1)
