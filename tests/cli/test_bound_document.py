from pathlib import Path

import pytest

from tests.datasets.fakes import needs
from unirank.cli.bound_document import (
    document,
    first_counter_examples,
    lost,
    markdown,
    measured_lines,
)
from unirank.cli.bound_runs import BoundedRun
from unirank.click_models import CM, DBN
from unirank.lab.bounds import bounds_of, problems_of
from unirank.simulation import simulate
from unirank.theory import examine

DOCS = Path(__file__).parents[2] / "docs" / "theory"
STRICT = examine(CM([0.5, 0.3, 0.1]), 2)
TIED = examine(CM([0.5, 0.3, 0.3]), 2)
SATISFYING = examine(DBN([0.6, 0.5, 0.4], [0.9, 0.1, 0.1], 0.05), 2)


def test_counts_and_first_counter_examples() -> None:
    text = document({"t": {"a": STRICT, "b": TIED, "c": TIED}}, [])
    assert "| t | 3 | 3 | 1 | 3 | 3 | 3 | 1 | 0.0% | 0.0% |" in text
    assert text.count("share place 2") == 1
    assert "| t | b | 3.1* | no ranking tells items 1 and 2 apart" in text


def test_no_counter_examples_no_table() -> None:
    assert "counter-example" not in document({"t": {"a": STRICT}}, [])


def test_the_first_of_each_kind_by_target() -> None:
    rows = first_counter_examples({"t": {"a": SATISFYING, "b": TIED}, "s": {"c": TIED}})
    assert [row[:3] for row in rows] == [["t", "b", "3.1*"], ["t", "a", "3.2"], ["s", "c", "3.1*"]]


def test_the_share_of_clicks_lost() -> None:
    broken = SATISFYING.assumptions.optimal_reward.counter_example
    assert broken is not None
    share = 1 - broken.numbers["clicks"] / broken.numbers["most clicks"]
    assert lost({"a": STRICT, "b": STRICT, "c": SATISFYING}) == ["0.0%", f"{share:.1%}"]
    assert share > 0.05


def test_what_was_measured() -> None:
    run = {
        "name": "x", "n_games": 4, "seed": 2, "slope": 1.234, "constant": 9.876,
        "regret": [{"round": 1000, "mean": 12.34, "standard_error": None, "bound": 68.22}],
    }  # fmt: skip
    text = document({"t": {"a": STRICT}}, [run])
    assert "UniRank on x, 4 games, seed 2:" in text
    assert "| 1,000 | 12.3 |  | 68.2 |" in text
    assert "| x | 1.23 | 9.88 | 0.125 |" in text
    assert "The bound is the leading term C ln T" in text


def test_a_cell_cannot_break_the_table() -> None:
    assert markdown(["a"], [["b|c"]]) == ["| a |", "| --- |", "| b/c |"]


@needs("yandex-relpred")
@pytest.mark.parametrize("model", ["pbm", "cm", "dbn"])
def test_the_committed_table_is_what_the_command_writes(model: str) -> None:
    name = f"yandex-relpred-{model}"
    found = {query: examine(p.users, p.n_positions) for query, p in problems_of(name, 5).items()}
    rows = document({name: found}, []).splitlines()
    (row,) = [line for line in rows if line.startswith(f"| {name} | 50")]
    assert row in (DOCS / "assumptions.md").read_text().splitlines()


@pytest.mark.parametrize("name", ["simul-pbm", "simul-cm"])
def test_the_committed_regret_is_what_games_give(name: str) -> None:
    (problem,) = problems_of(name).values()
    (bound,), _ = bounds_of([problem])
    users, n_positions = problem.users, problem.n_positions
    trace = simulate("unirank", users, n_positions=n_positions, n_rounds=10**5, n_games=20)
    lines = measured_lines(BoundedRun(name, trace, [bound]).to_dict())
    section = (DOCS / "simul.md").read_text().partition(f"UniRank on {name},")[2]
    rows = [line for line in lines if line.startswith(("| 1,000 ", "| 10,000 ", "| 100,000 "))]
    assert len(rows) == 3
    assert section.splitlines()[4:7] == rows
