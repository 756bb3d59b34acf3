"""Runs that survive: killed, resumed, enlarged, with the bits of one that was never disturbed."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from tests.lab.small import SMALL
from unirank import ArgumentError
from unirank.lab import load_experiment
from unirank.lab.experiment import PolicyEntry, ProblemSource
from unirank.lab.runs import planned, play_runs

ENGINE: dict[str, Any] = {"engine": "local", "n_workers": 2, "shown": False}

LONG = """
question = "Does it survive?"
version = 1
n_positions = 3
n_rounds = 3_000_000
n_games = 30
[click_model]
click_model = "pbm"
attraction = [0.5, 0.4, 0.3, 0.2, 0.1]
examination = [1.0, 0.8, 0.6]
[[policies]]
policy = "random"
"""


def shards(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.parquet")}


def test_a_run_gives_what_was_asked_and_the_second_time_plays_nothing(tmp_path: Path) -> None:
    run = planned(SMALL, out=tmp_path)
    play_runs([run], **ENGINE)
    first, bytes_before = run.traces(), shards(tmp_path)
    assert [(trace.label, trace.n_games) for trace in first] == [
        ("unirank", 7),
        ("TopRank, right horizon", 7),
    ]
    assert run.missing() == []
    play_runs([run], **ENGINE)
    assert shards(tmp_path) == bytes_before


def test_more_games_later_are_the_new_games_only(tmp_path: Path) -> None:
    few, many = (planned(SMALL, n_games=n, out=tmp_path) for n in (3, 9))
    play_runs([few], **ENGINE)
    assert [block.games for block in many.missing()][:2] == [[3, 4, 5, 6, 7], [8]]
    play_runs([many], **ENGINE)
    for less, more in zip(few.traces(), many.traces(), strict=True):
        assert (less.n_games, more.n_games) == (3, 9)
        assert np.array_equal(less.regret, more.regret[:3])


def test_without_a_folder_results_are_kept(tmp_path: Path) -> None:
    run = planned(SMALL, n_games=2, out=None)
    play_runs([run], **ENGINE)
    assert [trace.n_games for trace in run.traces()] == [2, 2]
    assert run.folders() == []


def test_a_watched_run_shows_games_and_speed(capsys: pytest.CaptureFixture[str]) -> None:
    play_runs([planned(SMALL, n_games=2, out=None)], **{**ENGINE, "shown": True})
    shown = capsys.readouterr().err
    assert "4/4 games" in shown
    assert "rounds/s" in shown


def test_games_that_the_version_before_saved_are_not_played_again(tmp_path: Path) -> None:
    """Version 0.1.0 played two games of 100 rounds of `toprank(horizon=told)` on simul-cm."""
    shutil.copytree(Path(__file__).parent / "version_0_1_0", tmp_path, dirs_exist_ok=True)
    entries = [PolicyEntry("toprank", {"horizon": "told"})]
    scale: dict[str, Any] = {"n_rounds": 100, "n_games": 3}
    run = planned(load_experiment("simul-cm"), entries, **scale, out=tmp_path)
    assert [block.games for block in run.missing()] == [[2]]
    play_runs([run], **ENGINE)
    alone = planned(load_experiment("simul-cm"), entries, **scale, out=None)
    play_runs([alone], **ENGINE)
    (resumed,), (whole,) = run.traces(), alone.traces()
    assert (resumed.n_games, resumed.label) == (3, whole.label)
    assert np.array_equal(resumed.regret, whole.regret)


def blocks_in(folder: Path) -> int:
    return len(list(folder.rglob("*.parquet")))


def test_killed_twice_it_ends_with_the_bits_of_an_undisturbed_run(tmp_path: Path) -> None:
    # SIGKILL at random moments: no handler runs, whatever is half done is lost.
    (tmp_path / "long.toml").write_text(LONG)
    command = [sys.executable, "-m", "unirank", "run", "long.toml", "--n-workers", "2", "--out"]
    moments = random.Random(8)
    for _ in range(2):
        before = blocks_in(tmp_path / "killed")
        process = subprocess.Popen(
            [*command, "killed"], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while blocks_in(tmp_path / "killed") == before and process.poll() is None:
            time.sleep(0.01)
        time.sleep(0.2 * moments.random())
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL, "it was over before it could be killed"
    saved = shards(tmp_path / "killed")
    assert 1 <= len(saved) < 6
    subprocess.run([*command, "killed"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*command, "whole"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    resumed, whole = shards(tmp_path / "killed"), shards(tmp_path / "whole")
    assert resumed == whole
    assert {name: resumed[name] for name in saved} == saved


@pytest.mark.parametrize("labels", [("X", "X"), ("A b", "A-b")])
def test_two_plans_cannot_share_a_folder(labels: tuple[str, str], tmp_path: Path) -> None:
    entries = [PolicyEntry("unirank", {}, labels[0]), PolicyEntry("random", {}, labels[1])]
    with pytest.raises(ArgumentError, match="must differ in their labels, got"):
        planned(SMALL, entries, out=tmp_path)


def test_two_problems_cannot_share_a_folder(tmp_path: Path) -> None:
    model = {"click_model": "cm", "attraction": [0.5, 0.1]}
    problems = [ProblemSource(name=name, click_model=model) for name in ("t shirt", "t-shirt")]
    both = msgspec.structs.replace(SMALL, click_model=None, problems=problems)
    with pytest.raises(ArgumentError, match=r"problems of experiment .* must differ in letters"):
        planned(both, out=tmp_path)


def test_an_experiment_has_an_objective_that_can_be_replaced(tmp_path: Path) -> None:
    mine = msgspec.structs.replace(SMALL, objective="any-click")
    for asked, found in ((None, "any-click"), ("first-click", "first-click")):
        run = planned(mine, n_rounds=50, n_games=1, objective=asked, out=tmp_path)
        play_runs([run], **ENGINE)
        assert {trace.objective for trace in run.traces()} == {found}
