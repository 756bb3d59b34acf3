"""A folder of shards: what is there is not played again, and nothing foreign is mixed in."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from tests.lab.small import SMALL
from unirank import ArgumentError
from unirank.lab import results
from unirank.lab.blocks import Block, Curve, blocks_of, curves_of, play

CURVE, OTHER = curves_of(SMALL, SMALL.policies, n_rounds=100, seed=4)


def fill(out: Path, curve: Curve, games: list[int]) -> None:
    for block in blocks_of(curve, games):
        results.save(out, block, play(block))


def test_only_what_is_missing_is_left_to_play(tmp_path: Path) -> None:
    fill(tmp_path, CURVE, [0, 1, 5])
    left = results.missing_blocks(tmp_path, [CURVE, OTHER], 7)
    assert [(block.curve.policy, block.games) for block in left] == [
        ("unirank", [2, 3, 4]),
        ("unirank", [6]),
        ("toprank", [0, 1, 2, 3, 4]),
        ("toprank", [5, 6]),
    ]
    fill(tmp_path, CURVE, [2, 3, 4, 6])
    assert results.missing_blocks(tmp_path, [CURVE], 7) == []


def test_shards_become_one_trace_with_each_game_once(tmp_path: Path) -> None:
    fill(tmp_path / "one", CURVE, [3, 4])
    fill(tmp_path / "two", CURVE, [0, 1, 2, 3])
    fill(tmp_path / "two", OTHER, [0])
    found = {trace.policy: trace for trace in results.load_results([tmp_path])}
    assert found["unirank"].games.tolist() == [0, 1, 2, 3, 4]
    (whole,) = blocks_of(CURVE, range(5))
    assert np.array_equal(found["unirank"].regret, play(whole).regret)
    assert found["toprank"].n_games == 1


def test_results_of_another_experiment_are_not_mixed_in(tmp_path: Path) -> None:
    (block,) = blocks_of(CURVE, [0])
    results.save(tmp_path, block, replace(play(block), experiment_version=2))
    with pytest.raises(ArgumentError, match=r"has experiment_version=2 where this run has 3"):
        results.missing_blocks(tmp_path, [CURVE], 1)


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
    fill(tmp_path, CURVE, [0])
    changed = msgspec.structs.replace(CURVE, problem="another", experiment_version=8)
    with pytest.raises(ArgumentError, match=r"has experiment_version=3 where .* has 8"):
        results.missing_blocks(tmp_path, [changed], 1)


def test_results_with_other_checkpoints_are_not_mixed_in(tmp_path: Path) -> None:
    fill(tmp_path, CURVE, [0])
    other = msgspec.structs.replace(CURVE, checkpoints="published")
    with pytest.raises(ArgumentError, match="has other checkpoints; choose another --out"):
        results.missing_blocks(tmp_path, [other], 1)


def test_objectives_are_kept_apart(tmp_path: Path) -> None:
    fill(tmp_path, CURVE, [0])
    first = msgspec.structs.replace(CURVE, objective="first-click")
    assert len(results.missing_blocks(tmp_path, [first], 1)) == 1
    fill(tmp_path, first, [0])
    assert results.missing_blocks(tmp_path, [CURVE, first], 1) == []
    assert (tmp_path / "small/rounds-100-seed-4-first-click").is_dir()
    found = {trace.objective: trace for trace in results.load_results([tmp_path])}
    assert sorted(found) == ["clicks", "first-click"]
    assert found["clicks"].regret[0, -1] != found["first-click"].regret[0, -1]


def test_games_of_another_objective_are_not_mixed_in(tmp_path: Path) -> None:
    (block,) = blocks_of(CURVE, [0])
    results.save(tmp_path, block, replace(play(block), objective="any-click"))
    with pytest.raises(ArgumentError, match=r"has objective='any-click' where .* has 'clicks'"):
        results.missing_blocks(tmp_path, [CURVE], 1)


def test_games_of_another_algorithm_are_neither_continued_nor_averaged(tmp_path: Path) -> None:
    """A shard from before there were numbers is of algorithm 1."""
    fill(tmp_path, CURVE, [0, 1])
    raised = msgspec.structs.replace(CURVE, algorithm=2)
    with pytest.raises(ArgumentError) as error:
        results.missing_blocks(tmp_path, [raised], 5)
    (shard,) = tmp_path.rglob("*.parquet")
    assert str(error.value) == (
        f"out must hold results of this experiment only: {str(shard)!r} has games of algorithm 1 "
        "of unirank where this run has algorithm 2; choose another --out, or remove it"
    )
    (block,) = blocks_of(CURVE, [2])
    results.save(tmp_path, block, replace(play(block), algorithm=2))
    found = results.load_results([tmp_path])
    assert sorted((trace.algorithm, trace.n_games) for trace in found) == [(1, 2), (2, 1)]


def own(module: str) -> Curve:
    return msgspec.structs.replace(CURVE, policy="Mine", policy_class=f"{module}:Mine")


def own_users(module: str) -> Curve:
    users = {**CURVE.click_model, "click_model": "shy"}
    return msgspec.structs.replace(CURVE, click_model=users, click_model_class=f"{module}:Shy")


def put(out: Path, curve: Curve, **classes: str) -> None:
    """Save a game of another curve as one of this curve."""
    (played,) = blocks_of(CURVE, [0])
    recipe: dict[str, Any] = {"policy": curve.policy, "click_model": curve.click_model, **classes}
    results.save(out, Block(curve=curve, games=[0]), replace(play(played), **recipe))


@pytest.mark.parametrize(
    ("curve_of", "key", "name"),
    [(own, "policy_class", "Mine"), (own_users, "click_model_class", "Shy")],
)
def test_classes_of_one_name_in_two_modules_are_told_apart(
    tmp_path: Path, curve_of: Callable[[str], Curve], key: str, name: str
) -> None:
    put(tmp_path, curve_of("one"), **{key: f"one:{name}"})
    assert results.missing_blocks(tmp_path, [curve_of("one")], 1) == []
    with pytest.raises(ArgumentError, match=rf"'one:{name}' where this run has 'two:{name}'; choo"):
        results.missing_blocks(tmp_path, [curve_of("two")], 1)


def test_games_of_an_own_class_without_its_module_are_not_taken_for_ones_own(
    tmp_path: Path,
) -> None:
    put(tmp_path, own("one"))  # as an earlier version wrote it
    with pytest.raises(ArgumentError, match=r"has the policy 'Mine' where this run has 'one:Mine'"):
        results.missing_blocks(tmp_path, [own("one")], 1)


def test_a_class_that_has_the_label_of_one_of_ours_is_not_mixed_in(tmp_path: Path) -> None:
    fill(tmp_path, CURVE, [0])
    mine = msgspec.structs.replace(own("one"), curve=CURVE.label)
    with pytest.raises(ArgumentError, match=r"the policy 'unirank' where this run has 'one:Mine'"):
        results.missing_blocks(tmp_path, [mine], 1)
