"""`unirank gain` prints clicks per view of orders, says whose answer it is, and refuses a log."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.logs.reading.writing import drawn_sessions, session_rows, write_lines, write_rows
from tests.reference.log_counting import Session
from unirank import PBM

USERS = {"q": PBM([0.7, 0.3, 0.6, 0.4], [1.0, 0.9])}
WORDS = ("gain", "log.csv", "--model", "pbm,cm", "--games", "2", "--n-threads", "1")
POLICIES = ("--policy", "oracle(ranking=told)", "--policy", "random", "--views", "1e2")


@pytest.fixture(autouse=True)
def _log(unirank: Run) -> None:
    write_rows(Path("log.csv"), session_rows(drawn_sessions(USERS, 4000, n_positions=2)))


def test_orders_are_compared_and_the_answer_is_called_a_models(unirank: Run) -> None:
    code, out, _ = unirank(*WORDS, *POLICIES)
    assert code == 0
    assert "1 query, " in out
    assert "pbm predicts the held-out sessions best\nworse, not played: cm\n" in out
    rows = [line.split() for line in out.splitlines()]
    (logged,) = [row for row in rows if row[:2] == ["logged", "order"] and len(row) == 3]
    (oracle,) = [row for row in rows if row[:1] == ["Oracle"]]
    (best,) = [row for row in rows if row[:2] == ["best", "order"] and len(row) == 4]
    gained = float(best[2]) / float(logged[2]) - 1
    assert oracle[2:] == ["100", best[2], best[3], "1"]  # views, clicks, gain, pays back after
    assert float(best[3].strip("+%")) == pytest.approx(100 * gained, abs=0.1)
    assert "were observed in the held-out sessions\n" in out
    assert "a fit to the held-out sessions gives it " in out
    assert "This is a model's answer, not a measurement" in out


def test_the_table_fits_80_columns(unirank: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = unirank(*WORDS, "--policy", "unirank", "--views", "100000", "--within", "1000%")
    (head,) = [line for line in out.splitlines() if "clicks/view" in line]
    assert " ".join(head.split()) == "order views clicks/view range gain pays back after"
    assert "nearly as well: cm; the range is over these 2\n" in out


def test_json_has_all_numbers(unirank: Run) -> None:
    code, out, err = unirank(*WORDS, *POLICIES, "--json")
    found = json.loads(out)
    assert code == 0
    assert err.startswith("read 8,000 rows")
    assert [one["policy"] for one in found["policies"]] == ["oracle (ranking=told)", "random"]
    assert set(found["policies"][0]["clicks"]["100"]) == {"value", "low", "high"}
    assert found["left_out_items"] == {}
    assert {"logged", "best", "best_held_out", "observed", "models", "left_out"} <= found.keys()


def test_items_that_are_left_out_are_named(unirank: Run) -> None:
    rare = [Session("q", ("0", f"rare{n}"), ()) for n in range(7)]
    sessions = drawn_sessions(USERS, 4000, n_positions=2)
    write_rows(Path("log.csv"), session_rows(sessions + rare[:2]))
    sentence = "played 4 of 6 items; left out, shown fewer than 100 times: rare0, rare1"
    assert f"\n{sentence}\n" in unirank(*WORDS, *POLICIES)[1]
    found = json.loads(unirank(*WORDS, *POLICIES, "--json")[1])
    assert found["left_out_items"] == {"q": sentence}
    write_rows(Path("log.csv"), session_rows(sessions + rare))
    sentence = "times: rare0, rare1, rare2, rare3, rare4 and 2 more"
    assert f"{sentence}\n" in unirank(*WORDS, *POLICIES)[1]
    other = [page._replace(query="r") for page in sessions]
    write_rows(Path("log.csv"), session_rows(sessions + rare + other))
    assert "\nquery q: played 4 of 11 items; " in unirank(*WORDS, *POLICIES)[1]


def test_a_log_that_cannot_tell_items_from_places_is_refused(unirank: Run) -> None:
    rows = [f"{n},q,{k},item{k},{int(n % 4 < k)}" for n in range(400) for k in (1, 2, 3)]
    write_lines(Path("fixed.csv"), ["session,query,position,item,click", *rows])
    code, _, err = unirank("gain", "fixed.csv")
    assert code == 2
    assert err.startswith("unirank: query q: the log cannot tell good items from good positions")
    assert err.endswith("; log them in other orders\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--format", "counts"), "gain holds sessions out to choose a click model, and the format"),
        (("--held-out", "0"), "held_out must be above 0, got 0"),
        (("--model", "pbn"), "unknown model 'pbn'"),
        (("--policy", "unrank"), "unknown policy 'unrank'; did you mean 'unirank'?"),
        (("--policy", "unirank(early=never)"), "unknown early 'never'"),
        (("--policy", "unirank(start=told)"), 'start of unirank cannot be "told"'),
        (("--games", "0"), "n_games must be in 1.."),
        (("--views", "0"), "views must be in 1.."),
        (("--within", "-1"), "within must be "),
        (("--min-impressions", "-1"), "min_impressions must be >= 0, got -1"),
        (("--prior", "-1"), "prior must be "),
        (("--tolerance", "-1"), "tolerance must be "),
        (("--seed", "-1"), "seed must be "),
        (("--n-queries", "0"), "n_queries must be >= 1, got 0"),
    ],
)
@pytest.mark.usefixtures("closed_log")
def test_options_are_refused_before_the_log_is_opened(
    unirank: Run, words: tuple[str, str], sentence: str
) -> None:
    code, _, err = unirank("gain", "log.csv", *words)
    assert code == 2
    assert err.startswith(f"unirank: {sentence}")
    assert err.count("\n") == 1


def test_a_query_that_is_not_in_the_log_is_one_line(unirank: Run) -> None:
    assert unirank("gain", "log.csv", "--query", "r") == (
        2,
        "",
        "unirank: query 'r' is not in the log\n",
    )
