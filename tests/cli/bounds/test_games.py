from io import StringIO

import pytest
from rich.console import Console

from tests.lab.plots.curves import curve
from unirank.cli.bounds.games import BoundedTrace, bound_figure, play_unirank
from unirank.lab.bounds import Problem
from unirank.lab.theory import Bound
from unirank.users import CM

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


def test_a_panel_per_target() -> None:
    bound = Bound("unirank", "bound", 7.0)
    runs = [BoundedTrace(name, curve(), [bound]) for name in ("simul-pbm", "simul-cm")]
    figure = bound_figure(runs)
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["Simul PBM", "Simul CM"]
    assert [len(axes.lines) for axes in figure.axes] == [2, 2]
