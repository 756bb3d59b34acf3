"""`unirank fit` turns a log into click models that `unirank run` takes."""

import json
from pathlib import Path
from typing import get_args

import pytest

from tests.cli.conftest import Run
from tests.logs.reading.writing import (
    drawn_sessions,
    kdd_lines,
    session_rows,
    write_lines,
    write_rows,
)
from unirank import DBN
from unirank.cli.arguments import LogFormat
from unirank.lab.datasets import load_items, load_problems, read_fitted
from unirank.logs.reading.formats import FORMATS

USERS = {
    "1": DBN([0.5, 0.4, 0.3, 0.2], [0.9, 0.1, 0.8, 0.3], 0.3),
    "2": DBN([0.1, 0.6, 0.3], [0.5, 0.9, 0.1], 0.1),
}
SESSIONS = drawn_sessions(USERS, 4000, n_positions=3)
WORDS = ("fit", "log.csv", "--format", "sessions", "--n-threads", "1")


@pytest.fixture(autouse=True)
def _log(unirank: Run) -> None:
    write_rows(Path("log.csv"), session_rows(SESSIONS))
    write_lines(Path("log.tsv"), kdd_lines(SESSIONS))


def test_choices_are_those_of_the_library() -> None:
    assert set(get_args(LogFormat)) == set(FORMATS)


def test_what_is_fitted_can_be_run(unirank: Run) -> None:
    code, out, _ = unirank(*WORDS, "--model", "dbn,pbm", "-o", "new/fitted.json")
    assert code == 0
    assert "read 12,000 rows" in out
    assert "2 queries, 4,000 sessions" in out
    assert out.rstrip().endswith("wrote new/fitted.json")
    assert set(load_problems("new/fitted.json", click_model="dbn")) == {"1", "2"}
    assert len(load_items("new/fitted.json", click_model="pbm")["1"]) == 4
    source = read_fitted("new/fitted.json").source
    assert (source["log"], source["format"], source["prior"]) == ("log.csv", "sessions", 0.0)
    code, out, _ = unirank("run", "new/fitted.json", "--n-rounds", "500", "--n-games", "1")
    assert code == 0
    assert [line for line in out.splitlines() if line in ("dbn", "pbm")] == ["dbn", "pbm"]
    assert "UniRank" in out


@pytest.mark.usefixtures("closed_log")
@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ("--n-items=-3", "n_items must be >= 1, got -3"),
        ("--n-items=0", "n_items must be >= 1, got 0"),
        ("--min-impressions=-1", "min_impressions must be >= 0, got -1"),
        ("--prior=-1", "prior must be "),
        ("--prior=nan", "prior must be "),
        ("--tolerance=-0.1", "tolerance must be "),
        ("--seed=-1", "seed must be "),
        ("--n-starts=0", "n_starts must be >= 1, got 0"),
        ("--max-iterations=-1", "max_iterations must be >= 0, got -1"),
        ("--held-out=2", "held_out must be "),
        ("--n-queries=0", "n_queries must be >= 1, got 0"),
        ("--n-positions=0", "n_positions must be "),
        ("--first-position=2", "first_position must be in 0..1, got 2"),
        ("--max-bad=2", "max_bad must be "),
        ("--memory=much", "memory must be "),
        ("--n-threads=0", "n_threads must be >= 1, got 0"),
        ("--backend=duck", "unknown backend 'duck'"),
        ("--model=pbn", "unknown model 'pbn'"),
        ("--out=a.txt", "out must end in .json, got 'a.txt'"),
        ("--figure=a.gif --compare", "out must end in .png, .svg, .pdf"),
        ("--figure=a.png", "figure needs --compare"),
        ("--compare --held-out=0", "held_out must be above 0 with --compare, got 0"),
    ],
)
def test_options_are_refused_before_the_log_is_opened(unirank: Run, wrong: str, rule: str) -> None:
    code, out, err = unirank("fit", "log.csv", "--format", "sessions", *wrong.split())
    assert (code, out) == (2, "")
    assert err.startswith(f"unirank: {rule}")
    assert err.count("\n") == 1


def test_items_that_cannot_be_compared_are_ranked_only_if_asked(unirank: Run) -> None:
    rows = [f"{n},q,{k},item{k},{int(n % 4 < k)}" for n in range(400) for k in (1, 2, 3)]
    write_lines(Path("fixed.csv"), ["session,query,position,item,click", *rows])
    words = ("fit", "fixed.csv", "--format", "sessions")
    code, out, _ = unirank(*words)
    assert code == 0
    assert "careful: pbm q: the log cannot tell good items from good positions" in out
    for ranking in (("--out", "fitted.json"), ("--n-items", "2")):
        code, _, err = unirank(*words, *ranking)
        assert code == 2
        assert err.startswith("unirank: pbm q: the log cannot tell good items from good positions")
        assert err.endswith("or pass --keep-unidentified\n")
    assert not Path("fitted.json").exists()
    assert unirank(*words, "--out", "fitted.json", "--keep-unidentified")[0] == 0


def test_items_that_stood_at_one_place_are_warned_of(unirank: Run) -> None:
    rows = [f"{n},q,{k},item{k},{int(n % 4 < k)}" for n in range(400) for k in (1, 2, 3)]
    write_lines(Path("fixed.csv"), ["session,query,position,item,click", *rows])
    words = ("fit", "fixed.csv", "--format", "sessions", "--model", "cm,dbn", "-o", "f.json")
    code, out, _ = unirank(*words)
    assert code == 0
    sentence = "every item stood at one place, so its order is the model's assumption"
    for model in ("cm", "dbn"):
        assert f"\ncareful: {model} q: {sentence}\n" in out
    fits = json.loads(unirank(*words, "--json")[1])["fits"]
    assert [one["warnings"][0] for one in fits] == [sentence] * 2
    assert sentence not in unirank(*WORDS, "--model", "cm,dbn")[1]
    assert sentence not in unirank(*words[:4])[1]  # pbm says which items it cannot compare


def test_formats_of_one_log_give_one_fit(unirank: Run) -> None:
    fits = []
    for words in (WORDS, ("fit", "log.tsv", "--format", "kdd", "--n-threads", "1")):
        report = json.loads(unirank(*words, "--json")[1])
        fits.append({one["query"]: one["log_likelihood"] for one in report["fits"]})
    assert fits[0] == fits[1]


def test_models_are_compared_on_sessions_held_out(unirank: Run) -> None:
    words = (*WORDS, "--model", "pbm,cm", "--compare", "--figure", "fit.png")
    _, out, _ = unirank(*words, "--held-out", "25%")
    assert "sessions held out" in out
    assert "perplexity" in out
    assert "(to the first click)" in out
    assert Path("fit.png").stat().st_size > 10_000
    report = json.loads(unirank(*words, "--json")[1])
    perplexities = [one["perplexity"] for one in report["comparison"]]
    assert perplexities == sorted(perplexities)
    assert report["wrote"] == ["fit.png"]


def test_items_and_queries_can_be_fewer(unirank: Run) -> None:
    unirank(*WORDS, "--query", "1", "--n-items", "2", "-o", "f.json")
    assert {query: len(items) for query, items in load_items("f.json").items()} == {"1": 2}
    unirank(*WORDS, "--n-queries", "1", "--n-positions", "2", "-o", "f.json")
    (users,) = load_problems("f.json").values()
    assert users.n_positions == 2


def test_the_log_likelihood_of_every_step_can_be_seen(unirank: Run) -> None:
    _, out, _ = unirank(*WORDS, "--model", "dbn", "--query", "1", "--iterations")
    steps = [line for line in out.splitlines() if line.startswith("dbn 1 step ")]
    values = [float(line.split(": ")[1]) for line in steps]
    assert len(values) > 2
    assert values == sorted(values)


def test_columns_can_have_other_names_and_positions_start_at_0(unirank: Run) -> None:
    Path("mine.csv").write_text(
        "query,url,pos,views,hits\nq,x,0,900,90\nq,y,0,900,45\nq,y,1,800,40\n"
    )
    names = "item=url,position=pos,impressions=views,clicks=hits"
    words = ("fit", "mine.csv", "--format", "counts", "--columns", names, "--first-position", "0")
    assert unirank(*words, "-o", "f.json")[0] == 0
    assert load_items("f.json") == {"q": ("x", "y")}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--model", "pbn"), "unknown model 'pbn'; did you mean 'pbm'"),
        (("--model", "dbn,sdbn", "-o", "f.json"), "dbn and sdbn fit the same click model"),
        (("--figure", "f.png"), "figure needs --compare"),
        (("-o", "f.txt"), "out must end in .json, got 'f.txt'"),
        (("--columns", "item"), "columns must look like name=value,name=value, got 'item'"),
        (("--max-bad", "few"), "must be a share, such as 0.001 or 0.1%, got few"),
        (("--query", "c"), "query 'c' is not in the log"),
    ],
)
def test_mistakes_are_one_line_and_leave_nothing(
    unirank: Run, words: tuple[str, ...], sentence: str
) -> None:
    before = sorted(Path().rglob("*"))
    code, _, err = unirank(*WORDS, *words)
    assert code == 2
    assert sentence in err
    assert err.count("\n") == 1
    assert sorted(Path().rglob("*")) == before
