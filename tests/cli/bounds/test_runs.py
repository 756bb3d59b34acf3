from io import StringIO
from math import log

import pytest
from rich.console import Console

from tests.plots.curves import curve
from unirank.cli.bounds.runs import BoundedRun, bound_figure, play_unirank
from unirank.click_models import CM
from unirank.errors import ArgumentError
from unirank.lab.bounds import Problem
from unirank.theory import Bound

STRICT, TIED = Problem(CM([0.5, 0.3, 0.1]), 2), Problem(CM([0.5, 0.3, 0.3]), 2)
SCALE = {"n_rounds": 1000, "n_games": 2, "seed": 3}


def test_games_of_all_problems_are_pooled_under_the_mean_bound() -> None:
    printed = StringIO()
    other = Problem(CM([0.6, 0.2, 0.1]), 2)
    (run,) = play_unirank(Console(file=printed), {"two": {"a": STRICT, "b": other}}, **SCALE)
    assert run.trace.n_games == 4
    assert run.trace.label == "UniRank"
    wanted = 16 * (0.4 / 0.2 + 0.3 / 0.1) / 2
    assert run.bounds[0].constant == pytest.approx(wanted)
    row = next(line for line in printed.getvalue().splitlines()[::-1] if " two " in line)
    assert row.split()[2] == f"{wanted:.2f}"


def test_what_was_measured_is_plain_data() -> None:
    run = BoundedRun("some/mine.json", curve(n_games=1), [Bound("unirank", "bound", 7.0)])
    said = run.to_dict()
    assert said["slope"] == pytest.approx(1.0)
    assert said["constant"] == 7.0
    assert [row["round"] for row in said["regret"]] == [1000, 10_000]
    assert said["regret"][1]["bound"] == 7.0 * log(10_000)
    assert run.title == "Mine"


def test_problems_without_a_bound_are_not_played() -> None:
    console = Console(file=StringIO())
    runs = play_unirank(console, {"tied": {"a": TIED}, "strict": {"a": STRICT}}, **SCALE)
    assert [run.target for run in runs] == ["strict"]
    with pytest.raises(ArgumentError, match="plot needs a problem with a finite bound"):
        play_unirank(console, {"tied": {"a": TIED}}, **SCALE)


def test_a_panel_per_target() -> None:
    bound = Bound("unirank", "bound", 7.0)
    runs = [BoundedRun(name, curve(), [bound]) for name in ("simul-pbm", "simul-cm")]
    figure = bound_figure(runs)
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["Simul PBM", "Simul CM"]
    assert [len(axes.lines) for axes in figure.axes] == [2, 2]
