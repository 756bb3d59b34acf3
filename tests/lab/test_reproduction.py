"""Which panels can be run here, and what is said of the others."""

from dataclasses import replace
from pathlib import Path

import pytest

from unirank.lab import reproduction
from unirank.lab.blocks import play
from unirank.lab.timing import PAPER_MILLISECONDS

SMALL = {"n_rounds": 200, "n_games": 2, "seed": 0}


@pytest.fixture(autouse=True)
def no_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An offline mirror that holds nothing."""
    monkeypatch.setenv("UNIRANK_DATA", str(tmp_path / "nothing"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_the_panels_are_the_papers_and_their_common_twins() -> None:
    assert len(reproduction.panel_names(common=False)) == 6
    names = reproduction.panel_names()
    assert [name for name in names if name.endswith("-common")] == [
        "kdd-pbm-common",
        "yandex-pbm-common",
        "yandex-8107157-pbm-common",
        "simul-pbm-common",
    ]


def test_without_data_simul_is_left_and_the_rest_says_how_to_get_it(tmp_path: Path) -> None:
    plan = reproduction.prepared(reproduction.panel_names(), **SMALL, out=tmp_path)
    assert [run.experiment.name for run in plan.runs] == [
        "simul-pbm",
        "simul-cm",
        "simul-pbm-common",
    ]
    assert len(plan.left_out) == 7
    assert all("unirank data fetch" in line for line in plan.left_out)


def test_curves_with_too_few_games_are_named(tmp_path: Path) -> None:
    plan = reproduction.prepared(["simul-cm"], **SMALL, out=tmp_path)
    (run,) = plan.runs
    for block in run.missing():
        if block.plan.policy.name == "unirank":
            run.add(block, play(block))
    (line,) = reproduction.unfinished(plan.runs)
    assert line.startswith("simul-cm: played only 0 of 2 games of TopRank, right horizon, TopRank")
    assert line.endswith("PB-MHB, GRAB, CascadeKL-UCB, MatchRank")
    assert reproduction.scale_of(run.traces()) == "200 rounds, up to 2 games per query"


def test_it_is_said_how_many_games_were_played_and_how_long_that_took(tmp_path: Path) -> None:
    plan = reproduction.prepared(["simul-cm"], **SMALL, out=tmp_path)
    (run,) = plan.runs
    told = reproduction.play_missing(plan.runs, play=False)
    assert str(told) == "None of the 16 games was played by this command."
    assert len(run.missing()) == 8
    first = run.missing()[0]
    run.add(first, play(first))
    effort = reproduction.play_missing(plan.runs, n_workers=1)
    assert (effort.n_games, effort.n_wanted) == (14, 16)
    assert effort.processor_seconds > 0.0
    assert str(replace(effort, seconds=90.0, processor_seconds=150.0)) == (
        "This command played 14 of the 16 games in 1.5 minutes; that was 2.5 minutes of processor "
        "time."
    )
    assert not run.missing()


@pytest.mark.slow
def test_times_are_measured_for_the_papers_policies_and_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reproduction, "TIMED_ROUNDS", 100)
    timing = reproduction.times()
    assert {time.policy for time in timing.compiled} == {*PAPER_MILLISECONDS, "matchrank"}
    assert timing.problem == "cm, 10 items, 5 positions, one problem"
    assert {"unirank", "toprank"} <= timing.plain.keys()
