from unirank.cli.bounds.tables import (
    COUNTED,
    counts,
    how,
    lists_rows,
    order_text,
    regret_cells,
    slope_rows,
    verdicts,
)
from unirank.lab.theory import examine
from unirank.users import CM, DBN

STRICT = examine(CM([0.5, 0.3, 0.1]), 2)
TIED = examine(CM([0.5, 0.3, 0.3]), 2)


def test_an_order_reads_from_the_best() -> None:
    assert order_text(((2,), (0, 3), (1,))) == "2 > 0 ~ 3 > 1"


def test_how_it_was_decided() -> None:
    users = DBN([0.5, 0.4, 0.3], [0.1, 0.2, 0.3], 0.1)
    assert how(STRICT) == "from formulas"
    assert how(examine(users, 2)) == "over all 6 rankings"
    sampled = how(examine(users, 2, method="sampled"))
    assert sampled.startswith(
        "over 20,000 rankings drawn at random: with 95 % confidence less than"
    )
    assert "0.00015 of them" in sampled


def test_verdicts_are_in_the_order_of_their_names() -> None:
    assert len(COUNTED) == len(verdicts(STRICT))
    assert verdicts(STRICT) == [True] * 6
    assert verdicts(TIED) == [True, False, True, True, True, False]


def test_counts_are_per_target() -> None:
    rows = counts({"both": {"a": STRICT, "b": TIED}, "one": {"b": TIED}})
    assert rows == [
        ["both", "2", "2", "1", "2", "2", "2", "1"],
        ["one", "1", "1", "0", "1", "1", "1", "0"],
    ]


def test_regret_stands_beside_its_bound() -> None:
    row = {"round": 10_000, "mean": 30.0, "standard_error": 1.5, "bound": 90.0}
    assert regret_cells([row]) == [["10,000", "30.0", "1.5", "90.0", "0.333"]]
    bare = {**row, "standard_error": None, "bound": 0.0}
    assert regret_cells([bare]) == [["10,000", "30.0", "", "0.0", ""]]


def test_a_slope_stands_beside_the_constant() -> None:
    runs = [{"name": "x", "slope": 1.0, "constant": 8.0}, {"name": "y", "slope": 0, "constant": 0}]
    assert slope_rows(runs) == [["x", "1.00", "8.00", "0.125"], ["y", "0.00", "0.00", ""]]


def test_lists_are_shown_where_they_differ() -> None:
    hidden = examine(DBN([0.5, 0.4], [1.0, 0.0], abandon=0.0), 2)
    tired = examine(DBN([0.5, 0.4], [1.0, 0.0], abandon=1.0), 2)
    assert lists_rows({"cascade": {"a": STRICT, "b": TIED}}) == []
    assert lists_rows({"cascade": {"a": STRICT}, "both": {"a": hidden, "b": tired}}) == [
        ["both", "by attraction", "0.600", "0.600", "1.143", "0.550", "1 of 2, reversed 1"],
        ["both", "most clicked", "0.700", "0.600", "1.214", "0.525", "1 of 2, reversed 1"],
    ]
