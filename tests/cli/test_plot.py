"""`unirank plot` turns traces into a figure and a table."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.lab.plots.curves import CURVES, curve, curves
from unirank.cli.panels import panels_in
from unirank.cli.plot import regrets

RIGHT = "TopRank, right horizon"


@pytest.fixture
def results(unirank: Run) -> None:
    """Two experiments; the baseline is in the first only."""
    for experiment, traces in {
        "simul-pbm": curves(),
        "simul-cm": [curve(experiment="simul-cm"), curve("random", "R", 9, experiment="simul-cm")],
    }.items():
        for number, trace in enumerate(traces):
            folder = Path("results") / experiment / str(number)
            folder.mkdir(parents=True)
            trace.save(folder / "games.parquet")


@pytest.mark.usefixtures("results")
@pytest.mark.parametrize("name", ["a.png", "b.svg", "c.pdf"])
def test_the_figure_is_written_in_the_format_of_its_name(name: str, unirank: Run) -> None:
    code, out, _ = unirank("plot", "results", "--out", name)
    assert (code, out.strip()) == (0, f"wrote {name}")
    magic = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[name[-3:]]
    assert Path(name).read_bytes().startswith(magic)


@pytest.mark.usefixtures("results")
def test_several_files_at_once(unirank: Run) -> None:
    code, out, _ = unirank("plot", "--out", "new/figure", "--out", "b.svg")
    names = ["new/figure.png", "new/figure.svg", "new/figure.pdf", "b.svg"]
    assert (code, out.splitlines()) == (0, [f"wrote {name}" for name in names])
    assert Path("b.svg").read_bytes() == Path("new/figure.svg").read_bytes()


def test_a_curve_is_the_mean_over_all_problems() -> None:
    traces = [*curves(problem="one"), curve(problem="two", factor=3.0)]
    (axes,) = regrets(panels_in(traces), "linear").axes
    assert len(axes.lines) == len(CURVES)
    ends = [line.get_ydata()[-1] for line in axes.lines]
    assert curve(factor=2.0).mean[-1] == pytest.approx(sorted(ends)[-2])


@pytest.mark.usefixtures("results")
def test_chosen_panels_only(unirank: Run) -> None:
    unirank("plot", "--panel", "simul-cm", "--out", "one.svg")
    text = Path("one.svg").read_text()
    assert "Simul CM" in text
    assert "Simul PBM" not in text
    code, _, err = unirank("plot", "--panel", "simul-dm", "--out", "two.svg")
    assert code == 2
    assert "unknown panel 'simul-dm'; did you mean 'simul-cm'?" in err
    assert not Path("two.svg").exists()


@pytest.mark.usefixtures("results")
def test_differences_against_a_curve(unirank: Run) -> None:
    code, out, _ = unirank("plot", "--against", RIGHT, "--y", "log", "--out", "gaps.svg")
    assert (code, out.splitlines()) == (
        0, ["left out Simul CM: nothing to compare", "wrote gaps.svg"],
    )  # fmt: skip
    text = Path("gaps.svg").read_text()
    assert f"against {RIGHT}" in text
    code, _, err = unirank("plot", "--against", "UniRang", "--out", "no.svg")
    assert code == 2
    assert "unknown curve 'UniRang'; did you mean 'UniRank'?" in err
    assert not Path("no.svg").exists()


@pytest.mark.usefixtures("results")
def test_the_table_is_written_next_to_the_figure(unirank: Run) -> None:
    code, out, _ = unirank("plot", "--table", "new/table.json")
    assert (code, out.splitlines()) == (0, ["wrote regret.png", "wrote new/table.json"])
    first, second = json.loads(Path("new/table.json").read_text())
    assert (first["experiment"], second["experiment"]) == ("simul-pbm", "simul-cm")
    assert second["regret"][0]["worst"] == curve().at(1000).max()
    unirank("plot", "--panel", "simul-cm", "--table", "table.md")
    assert Path("table.md").read_text().startswith("## Simul CM: clicks lost\n\n| policy | round |")
    code, _, err = unirank("plot", "--table", "table.txt", "--out", "late.png")
    assert code == 2
    assert "table must end in .md, .json or .csv, got 'table.txt'" in err
    assert not Path("late.png").exists()


def test_bounds_are_drawn_where_they_are_finite(unirank: Run) -> None:
    tied = {"click_model": "cm", "attraction": [0.5, 0.1, 0.1]}
    for experiment, users in (("simul-cm", {**tied, "attraction": [0.5, 0.1]}), ("ties", tied)):
        folder = Path("results") / experiment
        folder.mkdir(parents=True)
        n_positions = 1 if experiment == "simul-cm" else 2
        made = curve(experiment=experiment)
        replace(made, click_model=users, n_positions=n_positions).save(folder / "a.parquet")
    code, out, _ = unirank("plot", "--bounds", "--out", "a.svg")
    assert code == 0
    assert "no bound for Ties: 1 of 1 problems have no finite bound" in out
    assert "bound of Theorem 1, leading term" in Path("a.svg").read_text()
    unirank("plot", "--out", "b.svg")
    assert "bound of Theorem 1" not in Path("b.svg").read_text()


@pytest.mark.usefixtures("results")
def test_bounds_do_not_bound_differences(unirank: Run) -> None:
    code, _, err = unirank("plot", "--bounds", "--against", "UniRank")
    sentence = "bounds cannot be drawn with against='UniRank': they bound regret"
    assert (code, err) == (2, f"unirank: {sentence}\n")


@pytest.mark.usefixtures("results")
@pytest.mark.parametrize(
    "words",
    [
        ("--out", "a.gif"),
        ("--bounds", "--against", "X"),
        ("--bounds", "--objective", "any-click"),
        ("--table", "a.txt"),
    ],
)
def test_options_are_refused_before_a_trace_is_opened(
    words: tuple[str, ...], unirank: Run, opened: Counter[str]
) -> None:
    assert unirank("plot", *words)[0] == 2
    assert not [path for path in opened if path.endswith(".parquet")]
    assert unirank("plot", "--out", "a.svg")[0] == 0
    assert {n for path, n in opened.items() if path.endswith(".parquet")} == {1}


@pytest.mark.usefixtures("results")
def test_a_figure_has_one_objective_and_names_it(unirank: Run) -> None:
    replace(curve(), objective="first-click").save("results/first.parquet")
    code, _, err = unirank("plot", "--out", "a.svg")
    assert (code, err.count("\n")) == (2, 1)
    assert "pass --objective clicks" in err
    lost = "reciprocal rank of the first click lost"
    assert (
        unirank("plot", "--objective", "first-click", "--out", "a.svg", "--table", "a.md")[0] == 0
    )
    assert f"cumulative regret ({lost})" in Path("a.svg").read_text()
    assert Path("a.md").read_text().startswith(f"## Simul PBM: {lost}\n")
    code, _, err = unirank("plot", "--objective", "first-click", "--bounds")
    told = "bounds are on clicks, they cannot be drawn with objective='first-click'"
    assert (code, err) == (2, f"unirank: {told}\n")
