"""`unirank bounds` says whether UniRank applies and what regret the theory allows."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from unirank import CM, DBN, PBM
from unirank.lab.theory import check_assumptions, compute_gaps


@pytest.fixture
def problem(unirank: Run) -> str:
    Path("mine.json").write_text(PBM([0.5, 0.3, 0.1], [1, 0.5]).to_json())
    return "mine.json"


def test_one_problem_is_told_in_full(unirank: Run) -> None:
    code, out, _ = unirank("bounds", "simul-cm")
    assert code == 0
    assert "simul-cm: cm, 10 items, 5 positions" in out
    assert "order of the items: 0 > 1 > 2 > 3 > 4 > 5 ~ 6 ~ 7 ~ 8 ~ 9" in out
    for line in ("3.1 strict weak order", "3.1* strict total order", "3.2 optimal", "3.3 identif"):
        assert line in out
    assert "bound of Theorem 1" in out
    assert "80.80" in out
    assert "1,675" in out  # at 10^9
    assert "bound of CascadeUCB1" in out
    assert "the theorem adds O(log log T)" in out
    assert "cascade-kl-ucb (L - K)/Delta log T" in " ".join(out.split())


def test_an_infinite_bound_says_so_and_why(unirank: Run) -> None:
    Path("tied.json").write_text(PBM([0.5, 0.3, 0.3], [1, 0.5]).to_json())
    code, out, _ = unirank("bounds", "tied.json", "--n-positions", "2")
    said = " ".join(out.split())
    assert code == 0
    assert (
        "Theorem 1 gives no finite bound: assumption 3.1* (strict total order on the top K) "
        in said
    )
    assert "no ranking tells items 1 and 2 apart, and they share place 2" in said
    assert "inf" not in said.replace("finite", "")
    assert "nan" not in said


def test_a_counter_example_is_printed(unirank: Run) -> None:
    users = DBN([0.6, 0.5, 0.4], [0.9, 0.1, 0.1], 0.05)
    Path("dbn.json").write_text(users.to_json())
    _, out, _ = unirank("bounds", "dbn.json", "--n-positions", "2")
    assert "decided over all 6 rankings" in out
    assert "[0, 1] is compatible with the order and gets" in " ".join(out.split())


def test_json_has_the_whole_report(unirank: Run, problem: str) -> None:
    code, out, _ = unirank("bounds", problem, "--n-positions", "2", "--json")
    said = json.loads(out)["mine.json"]["mine"]
    users = PBM([0.5, 0.3, 0.1], [1, 0.5])
    constant = compute_gaps(users, check_assumptions(users, 2)).constant
    assert code == 0
    assert said["bounds"][0]["constant"] == constant


def test_several_problems_get_a_row_each_and_are_counted(unirank: Run, problem: str) -> None:
    Path("tied.json").write_text(CM([0.5, 0.3, 0.3]).to_json())
    _, out, _ = unirank("bounds", problem, "tied.json", "--n-positions", "2", "--table", "new/t.md")
    assert "no finite bound" in out
    rows = [line.split() for line in out.splitlines() if line.split()[:1] == ["tied.json"]]
    assert rows[-1] == ["tied.json", "1", "1", "0", "1", "1", "1", "0"]
    text = Path("new/t.md").read_text()
    assert "| tied.json | 1 | 1 | 0 | 1 | 1 | 1 | 0 | 0.0% | 0.0% |" in text
    assert "| tied.json | tied | 3.1* | no ranking tells items 1 and 2 apart" in text


def test_regret_is_drawn_under_its_bound(unirank: Run, problem: str) -> None:
    words = ("bounds", problem, "--n-positions", "2", "--plot", "a.png", "--n-rounds", "1e4")
    code, out, _ = unirank(*words, "--n-games", "3", "--table", "a.md")
    assert code == 0
    assert Path("a.png").read_bytes().startswith(b"\x89PNG")
    assert "slope, last three decades" in " ".join(out.split())
    assert "UniRank on mine.json, 3 games, seed 0:" in Path("a.md").read_text()
    _, out, _ = unirank(*words, "--n-games", "3", "--json")
    (run,) = json.loads(out)["measured"]
    assert [row["round"] for row in run["regret"]] == [1000, 10_000]
    assert all(0 < row["mean"] < row["bound"] for row in run["regret"])
    assert 0 < run["slope"] < run["constant"]


def test_what_has_no_bound_is_left_out_of_the_figure(unirank: Run, problem: str) -> None:
    Path("tied.json").write_text(CM([0.5, 0.3, 0.3]).to_json())
    scale = ("--n-positions", "2", "--plot", "a.svg", "--n-rounds", "1000", "--n-games", "2")
    code, out, _ = unirank("bounds", "tied.json", problem, *scale)
    assert code == 0
    assert "left out tied.json: 1 of 1 problems have no finite bound" in out
    code, _, err = unirank("bounds", "tied.json", *scale)
    assert (code, err) == (2, "unirank: plot needs a problem with a finite bound, got none\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("simul-pbn",), "unknown experiment or data set 'simul-pbn'; did you mean 'simul-pbm'?"),
        (("simul-pbm", "--table", "a.txt"), "table must end in .md, got 'a.txt'"),
        (("simul-pbm", "--n-positions", "6"),
         "n_positions must be in 1..positions of the click model=5, got 6"),
        (("simul-pbm", "--plot", "a.gif"),
         "out must end in .png, .svg, .pdf, or have no ending for all three, got 'a.gif'"),
        (("simul-pbm", "--n-games", "0"), "n_games must be in 1..1000000, got 0"),
    ],
)  # fmt: skip
def test_errors_are_one_line(words: tuple[str, ...], sentence: str, unirank: Run) -> None:
    code, out, err = unirank("bounds", *words)
    assert (code, out, err) == (2, "", f"unirank: {sentence}\n")
