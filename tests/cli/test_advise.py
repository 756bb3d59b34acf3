"""`unirank advise` prints a table, the advice, its prior and its cost; JSON for programs."""

import json

from tests.cli.conftest import Run

WORDS = ("advise", "--items", "6", "--positions", "2", "--visits", "200", "--games", "4")
POLICIES = ("--policy", "oracle(ranking=told)", "--policy", "random")


def test_the_table_and_the_advice_are_printed(unirank: Run) -> None:
    code, out, _ = unirank(*WORDS, *POLICIES)
    assert code == 0
    assert out.startswith("6 items, 2 positions, 200 visits\n")
    assert "Take oracle (ranking=told)" in out
    assert "clicks meanwhile.\nprior: attractions Beta(1, 9); " in out
    assert "over 4 problems, each played once by every policy: 8 games, " in out
    assert "later" in next(line for line in out.splitlines() if "random" in line)


def test_json_has_all_numbers(unirank: Run) -> None:
    code, out, _ = unirank(*WORDS, *POLICIES, "--seed", "1", "--json")
    found = json.loads(out)
    assert code == 0
    assert [each["policy"] for each in found["outlooks"]] == ["oracle (ranking=told)", "random"]
    assert found["advice"].startswith("Take oracle")
    assert {"n_problems", "seconds", "prior", "today_lost"} <= found.keys()


def test_a_wrong_size_is_one_line(unirank: Run) -> None:
    words = ("advise", "--items", "6", "--positions", "7", "--visits", "200")
    told = "unirank: n_positions must be in 1..n_items=6, got 7\n"
    assert unirank(*words) == (2, "", told)
