from unirank.cli.bounds.document import document, first_counter_examples, lost
from unirank.lab.theory import examine
from unirank.users import CM, DBN

STRICT = examine(CM([0.5, 0.3, 0.1]), 2)
TIED = examine(CM([0.5, 0.3, 0.3]), 2)
SATISFYING = examine(DBN([0.6, 0.5, 0.4], [0.9, 0.1, 0.1], 0.05), 2)


def test_counts_and_first_counter_examples() -> None:
    text = document({"t": {"a": STRICT, "b": TIED, "c": TIED}}, [])
    assert "| t | 3 | 3 | 1 | 3 | 3 | 3 | 1 | 0.0% | 0.0% |" in text
    assert text.count("share place 2") == 1
    assert "| t | b | 3.1* | no ranking tells items 1 and 2 apart" in text


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
    assert "| 1,000 | 12.3 |  | 68.2 | 0.181 |" in text
    assert "| x | 1.23 | 9.88 | 0.125 |" in text
    assert "The bound is the leading term C ln T" in text


def test_the_most_clicked_list_stands_beside_the_one_by_attraction() -> None:
    text = document({"t": {"a": SATISFYING}}, [])
    assert (
        "| problems of | list | clicks | any click | rank | reciprocal rank | equal lists |" in text
    )
    assert text.count("| 0 of 1, reversed 1 |") == 2
    assert "most clicked" not in document({"t": {"a": STRICT}}, [])
