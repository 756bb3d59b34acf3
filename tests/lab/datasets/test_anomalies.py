"""What is odd is found, with its numbers; what is fine is not mentioned."""

from typing import Any

import pytest

from tests.lab.datasets.fakes import Publish, needs
from unirank.errors import ArgumentError
from unirank.lab.datasets import anomalies
from unirank.lab.datasets.anomalies import LARGEST, ORDER, TIES, TOO_LARGE, Anomaly


def of_query(mirror: Publish, thetas: list[float], kappas: list[float]) -> list[Anomaly]:
    mirror("yandex-pbm", {"7": {"thetas": thetas, "kappas": kappas}})
    return anomalies("yandex-pbm", n_items=4, n_positions=2)


def test_a_sound_query_is_not_mentioned(mirror: Publish) -> None:
    assert of_query(mirror, [0.1, 1.0, 0.3], [1.0, 0.5, 0.5]) == []


def test_attraction_above_one_is_found_beyond_the_top_too(mirror: Publish) -> None:
    found = of_query(mirror, [1.1, 1.2, 1.3, 1.4, 1.5], [1.0])
    assert [(each.kind, each.text) for each in found] == [
        (TOO_LARGE, text) for text in ("1.1", "1.2", "1.3", "1.4", "1.5")
    ]
    assert found[0].numbers == {"value": 1.1}


@pytest.mark.parametrize(
    ("thetas", "distinct", "inside", "border", "where"),
    [
        ([0.3, 0.5, 0.2, 0.5], 3, True, False, "tied inside the top 2"),
        ([0.3, 0.5, 0.2, 0.3], 3, False, True, "tied at the border 2/3"),
        ([0.3, 0.3, 0.3], 1, True, True, "tied inside the top 2 and at the border 2/3"),
        ([0.3, 0.5, 0.2, 0.2, 0.1], 3, False, False, "tied below the top 2 only"),
        ([0.3, 0.3], 1, True, False, "tied inside the top 2"),
    ],
)
def test_ties_are_found_where_they_are(
    mirror: Publish, thetas: list[float], distinct: int, inside: bool, border: bool, where: str
) -> None:
    (found,) = of_query(mirror, thetas, [1.0, 0.5])
    of = min(4, len(thetas))
    assert (found.query, found.kind) == ("7", TIES)
    assert found.text == f"{distinct} distinct values in the top {of}, {where}"
    assert found.numbers == {"distinct": distinct, "of": of, "inside": inside, "border": border}


def test_ties_beyond_the_top_items_do_not_count(mirror: Publish) -> None:
    assert of_query(mirror, [0.9, 0.8, 0.7, 0.6, 0.5, 0.5], [1.0]) == []


def test_examination_is_judged_in_the_order_of_the_file(mirror: Publish) -> None:
    order, largest = of_query(mirror, [0.1], [0.9, 0.5, 0.6, 0.7])
    assert order == Anomaly(
        "7",
        ORDER,
        "0.5 at position 2, 0.6 at position 3",
        {"position": 2, "here": 0.5, "below": 0.6},
    )
    assert largest == Anomaly("7", LARGEST, "0.9", {"value": 0.9})


def test_models_without_examination_are_judged_by_attraction(mirror: Publish) -> None:
    mirror("yandex-cm", {"2": [0.5, 0.2, 0.2], "1": [0.5, 0.4]})
    (found,) = anomalies("yandex-cm", n_positions=1)
    assert (found.query, found.kind) == ("2", TIES)


@pytest.mark.parametrize("wrong", [{"n_items": 0}, {"n_positions": 0}])
def test_counts_are_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match="must be >= 1, got 0"):
        anomalies("kdd-pbm", **wrong)


@needs("yandex-pbm")
def test_the_real_ties_are_those_we_know() -> None:
    found = anomalies("yandex-pbm")
    queries = list(dict.fromkeys(each.query for each in found))
    assert len(queries) == 60  # none has its positions in order
    ties = {each.query: each.numbers for each in found if each.kind == TIES}
    assert sum(ties[query]["inside"] for query in queries[:10]) == 9
    assert ties["4102451"]["distinct"] == 4
    assert queries[9] == "8107157"
    assert ties["8107157"] == {"distinct": 7, "of": 10, "inside": False, "border": True}
    above = {
        each.query: round(each.numbers["value"], 3) for each in found if each.kind == TOO_LARGE
    }
    assert above == {"7435209": 1.066, "8354851": 2.509}
    assert not [each for each in found if each.kind == LARGEST]


@needs("kdd-pbm")
def test_the_real_kdd_queries_are_sound() -> None:
    assert anomalies("kdd-pbm") == []
