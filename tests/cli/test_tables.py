"""Numbers as people read them."""

import csv
import json
from io import StringIO

import pytest
from rich.console import Console

from tests.lab.plots.curves import curve
from unirank import CM, simulate
from unirank.cli.panels import panels_in
from unirank.cli.tables import _cell, print_regret, table_file
from unirank.lab.summary import pooled, regret_rows


@pytest.mark.parametrize(
    ("mean", "error", "cell"),
    [
        (12.34, 0.56, "12.3 ± 0.6"),
        (1234.5, 6.7, "1,234 ± 7"),
        (1_234_567.0, 890.0, "1,234.6k ± 890"),
        (12.34, None, "12.3"),
    ],
)
def test_cells(mean: float, error: float | None, cell: str) -> None:
    assert _cell({"mean": mean, "standard_error": error}) == cell


def test_a_row_per_policy_and_a_column_per_decade() -> None:
    trace = simulate("random", CM([0.5, 0.1]), n_positions=1, n_rounds=10_000, n_games=2)
    console = Console(width=100, record=True, file=StringIO())
    print_regret(console, "tiny: why?", [trace])
    text = console.export_text()
    assert "tiny: why?" in text
    assert [word for word in text.split() if word in ("1,000", "10,000", "Random")] == [
        "1,000", "10,000", "Random",
    ]  # fmt: skip


def test_tails_are_a_row_per_policy_and_decade() -> None:
    trace = curve(label="stalls", n_games=100)
    trace.regret[:] = 10.0
    trace.regret[57] = 5000.0
    console = Console(width=80, record=True, file=StringIO())
    print_regret(console, "tiny: why?", [trace], tails=True)
    rows = [line.split() for line in console.export_text().splitlines() if "stalls" in line]
    assert rows == [
        ["stalls", round_, "59.9", "±", "49.9", "10.0", "10.0", "5,000"]
        for round_ in ("1,000", "10,000")
    ]


def test_the_markdown_table_shows_the_game_that_stalled() -> None:
    trace = curve(label="A|B", n_games=100)
    trace.regret[:] = 10.0
    trace.regret[57] = 5000.0
    lines = table_file(".md", panels_in([trace, curve(experiment="x")])).decode().splitlines()
    assert lines[:3] == [
        "## Simul PBM: clicks lost",
        "",
        "| policy | round | games | mean ± standard error | median | 95th percentile | worst |",
    ]
    assert lines[5] == "| A\\|B | 10,000 | 100 | 59.9 ± 49.9 | 10.0 | 10.0 | 5,000 |"
    assert lines[6:8] == ["", "## X: clicks lost"]


def test_the_csv_table_has_one_row_per_policy_and_decade() -> None:
    traces = [curve(), curve("random", "A,B"), curve(experiment="x", n_games=1)]
    found = list(csv.DictReader(StringIO(table_file(".csv", panels_in(traces)).decode())))
    assert [(row["experiment"], row["policy"], row["round"]) for row in found] == [
        (name, policy, decade)
        for name, policy in (("simul-pbm", "UniRank"), ("simul-pbm", "A,B"), ("x", "UniRank"))
        for decade in ("1000", "10000")
    ]
    assert float(found[1]["mean"]) == traces[0].mean[-1]
    assert found[-1]["standard_error"] == ""


def test_the_json_table_has_all_numbers() -> None:
    traces = [curve(problem="one"), curve(problem="two", factor=2.0)]
    (found,) = json.loads(table_file(".json", panels_in(traces)))
    assert found == {
        "experiment": "simul-pbm",
        "part": "",
        "n_rounds": 10_000,
        "seed": 0,
        "objective": "clicks",
        "regret": regret_rows(pooled(traces)),
    }
    assert found["regret"][0]["n_games"] == 8
