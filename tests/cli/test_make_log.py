"""`unirank data make-log` writes a log and the truth behind it."""

import json
from pathlib import Path
from typing import get_args

import pytest

from tests.cli.conftest import Run
from tests.datasets.fitted import CONTENT, saved
from tests.reference.synthetic_log import drawn_sessions, read_sessions
from unirank.cli.arguments import LogFormat
from unirank.datasets import load_items, load_problems, read_fitted
from unirank.logs.synthetic.writing import FORMATS

WORDS = ("data", "make-log", "f.json", "--click-model", "pbm", "--n-sessions", "2e2")
SHAPE = ("--n-positions", "2", "--n-pages", "3", "--zipf", "0.5", "--seed", "7")


@pytest.fixture(autouse=True)
def _file(unirank: Run) -> None:
    saved(Path("f.json"))


def test_the_formats_are_those_of_the_library() -> None:
    assert get_args(LogFormat) == FORMATS


def test_the_log_is_drawn_from_the_truth_that_is_kept(unirank: Run) -> None:
    out = Path("new/log.tsv")
    code, said, _ = unirank(
        *WORDS, *SHAPE, "--format", "kdd", "--out", str(out), "--truth", "new/truth.json"
    )
    assert code == 0
    users, items = load_problems("new/truth.json"), load_items("new/truth.json")
    assert users == load_problems("f.json", click_model="pbm")
    assert items == {"shoes": ("a", "b", 7), "boots": ("c", "d")}
    sessions = drawn_sessions(
        users, items, n_sessions=200, n_positions=2, n_pages=3, zipf=0.5, seed=7
    )
    assert read_sessions(out, "kdd") == sessions
    clicks = sum(len(session.clicks) for session in sessions)
    assert f"kdd: 200 sessions, {clicks} clicks, 400 rows, 0 malformed lines" in said
    assert f"wrote {out} ({out.stat().st_size:,} bytes)\nwrote new/truth.json\n" in said
    source = read_fitted("new/truth.json").source
    assert (source["drawn from"], source["seed"], source["sessions"]) == ("f.json", 7, 200)


def test_json_says_what_was_written(unirank: Run) -> None:
    words = (*WORDS, "--format", "sessions", "--out", "log.csv.gz", "--bad", "0.1", "--json")
    report = json.loads(unirank(*words)[1])
    assert report["path"] == "log.csv.gz"
    assert report["malformed"] > 0
    assert report["bytes"] == Path("log.csv.gz").stat().st_size
    assert "truth" not in report
    report = json.loads(unirank(*words, "--truth", "t.json")[1])
    assert report["truth"] == "t.json"


def test_queries_and_items_can_be_fewer(unirank: Run) -> None:
    words = (*WORDS, "--n-queries", "1", "--n-items", "2", "--format", "kdd", "--out", "log.tsv")
    assert unirank(*words, "--truth", "t.json")[0] == 0
    assert load_items("t.json") == {"shoes": ("b", 7)}
    sessions = read_sessions(Path("log.tsv"), "kdd")
    assert {item for session in sessions for item in session.items} == {"b", "7"}


def test_an_interrupt_leaves_nothing(unirank: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("unirank.logs.synthetic.writing.write_lines", interrupted)
    code, _, err = unirank(*WORDS, "--format", "kdd", "--out", "log.tsv", "--truth", "t.json")
    assert (code, err) == (130, "unirank: interrupted\n")
    assert [path.name for path in Path.cwd().iterdir()] == ["f.json"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--format", "kdd"), "--out"),
        (("--format", "kddd", "--out", "a"), 'Invalid value "kddd"'),
        (("--format", "counts", "--out", "a"), "out must end in .csv"),
        (("--format", "kdd", "--out", "a", "--truth", "t"), "truth must end in .json, got 't'"),
        (("--format", "kdd", "--out", "a", "--n-queries", "9"), "n_queries must be in 1.."),
        (("--format", "kdd", "--out", "a", "--n-pages", "0"), "n_pages must be in 1.."),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    words: tuple[str, ...], said: str, unirank: Run
) -> None:
    code, out, err = unirank(*WORDS, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert [path.name for path in Path.cwd().iterdir()] == ["f.json"]


def test_the_source_can_be_unknown(unirank: Run) -> None:
    words = ("data", "make-log", "yandex-relpred", "--format", "kdd", "--out", "a")
    assert "unknown data set 'yandex-relpred'; did you mean" in unirank(*words)[2]
    assert CONTENT["format"] in Path("f.json").read_text()
