"""`unirank data make-log` writes a log of sessions."""

import csv
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.lab.datasets.fitted import saved
from unirank.lab.datasets import load_items

WORDS = ("data", "make-log", "f.json", "--click-model", "pbm", "--n-sessions", "2e2")


@pytest.fixture(autouse=True)
def _file(unirank: Run) -> None:
    saved(Path("f.json"))


def pages(path: Path) -> dict[tuple[str, str], list[dict[str, str]]]:
    """The rows of each session and query."""
    found = defaultdict(list)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            found[row["session"], row["query"]].append(row)
    return found


def test_each_session_sees_one_page_of_different_items(unirank: Run) -> None:
    assert unirank(*WORDS, "--n-positions", "2", "--out", "new/log.csv")[:2] == (
        0,
        "wrote new/log.csv\n",
    )
    found = pages(Path("new/log.csv"))
    items = load_items("f.json", click_model="pbm")
    assert [session for session, _ in found] == [str(n) for n in range(1, 201)]
    assert {query for _, query in found} == set(items)
    for (_, query), rows in found.items():
        assert [row["position"] for row in rows] == ["1", "2"]
        assert len({row["item"] for row in rows} & {str(item) for item in items[query]}) == 2
        assert {row["click"] for row in rows} <= {"0", "1"}
    assert any(row["click"] == "1" for rows in found.values() for row in rows)


def test_a_seed_gives_one_log(unirank: Run) -> None:
    for name, seed in (("a.csv", "1"), ("b.csv", "1"), ("c.csv", "2")):
        unirank(*WORDS, "--seed", seed, "--out", name)
    logs = [Path(name).read_text() for name in ("a.csv", "b.csv", "c.csv")]
    assert logs[0] == logs[1] != logs[2]


def test_queries_and_items_can_be_fewer(unirank: Run) -> None:
    unirank(*WORDS, "--n-queries", "1", "--n-items", "2", "--out", "log.csv")
    rows = [row for page in pages(Path("log.csv")).values() for row in page]
    assert {(row["query"], row["item"]) for row in rows} == {("shoes", "b"), ("shoes", "7")}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--out"),
        (("--out", "a"), "out must end in .csv, got 'a'"),
        (("--out", "a.csv", "--n-queries", "9"), "n_queries must be in 1.."),
        (("--out", "a.csv", "--n-positions", "0"), "n_positions must be >= 1, got 0"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    words: tuple[str, ...], said: str, unirank: Run
) -> None:
    code, out, err = unirank(*WORDS, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert [path.name for path in Path.cwd().iterdir()] == ["f.json"]


@pytest.mark.parametrize("wrong", ["--n-sessions=0", "--n-positions=0", "--seed=-1"])
def test_numbers_are_refused_before_the_source_is_opened(
    wrong: str, unirank: Run, opened: Counter[str]
) -> None:
    code, _, err = unirank(*WORDS[:5], "--out", "a.csv", wrong)
    assert (code, err.count(" must be ")) == (2, 1)
    assert opened[str(Path("f.json").absolute())] == 0
    unirank(*WORDS, "--out", "a.csv")
    assert opened[str(Path("f.json").absolute())] == 1


def test_the_source_can_be_unknown(unirank: Run) -> None:
    words = ("data", "make-log", "yandex-relpred", "--out", "a.csv")
    assert "unknown data set 'yandex-relpred'; did you mean" in unirank(*words)[2]
