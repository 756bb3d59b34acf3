"""The real files hold the numbers that the paper reports."""

import pytest

from tests.lab.datasets.fakes import needs
from unirank.errors import ArgumentError
from unirank.lab.datasets import list_datasets, load_problems


@needs("yandex-pbm")
def test_the_real_yandex_problems_are_those_of_the_paper() -> None:
    ten = load_problems("yandex-pbm", n_queries=10, n_items=10, n_positions=5)
    attraction = [x for users in ten.values() for x in users.settings["attraction"]]
    examination = [x for users in ten.values() for x in users.settings["examination"]]
    assert (round(min(attraction), 2), round(max(attraction), 2)) == (0.51, 0.94)
    assert (round(min(examination), 2), max(examination)) == (0.71, 1)
    assert list(ten)[9] == "8107157"
    six = load_problems("yandex-pbm", queries=["8107157"], n_items=6, n_positions=5)["8107157"]
    assert [round(x, 5) for x in six.settings["attraction"]] == [
        0.71028,
        0.62853,
        0.62697,
        0.6239,
        0.62067,
        0.62067,
    ]


@needs("yandex-pbm")
@pytest.mark.parametrize(("query", "value"), [("7435209", "1.06559"), ("8354851", "2.509")])
def test_real_attraction_above_one_is_named(query: str, value: str) -> None:
    with pytest.raises(ArgumentError, match=rf"query '{query}' .* got {value}"):
        load_problems("yandex-pbm", queries=[query], n_items=10)


@needs("yandex-cm")
def test_the_real_cascade_problems_are_those_of_the_paper() -> None:
    ten = load_problems("yandex-cm", n_queries=10, n_items=10)
    attraction = [x for users in ten.values() for x in users.settings["attraction"]]
    assert (round(min(attraction), 4), max(attraction)) == (0.0294, 0.5)


@needs("kdd-pbm")
def test_the_real_kdd_problems_are_those_of_the_paper() -> None:
    kdd = load_problems("kdd-pbm", n_positions=3)
    assert sorted(users.n_items for users in kdd.values()) == [5, 5, 6, 6, 6, 8, 11, 11]
    attraction = [x for users in kdd.values() for x in users.settings["attraction"]]
    examination = [x for users in kdd.values() for x in users.settings["examination"]]
    assert (round(min(attraction), 3), round(max(attraction), 3)) == (0.004, 0.149)
    assert (round(min(examination), 2), max(examination)) == (0.1, 1)


@needs("yandex-relpred")
@pytest.mark.parametrize("name", [name for name in list_datasets() if "relpred" in name])
def test_the_real_fitted_models_load_whole_and_cut(name: str) -> None:
    whole, cut = load_problems(name), load_problems(name, n_items=6, n_positions=5)
    assert {users.n_items for users in whole.values()} == {10}
    for query, users in cut.items():
        assert users.n_items == 6
        assert max(users.settings["attraction"]) == max(whole[query].settings["attraction"])
        assert len(users.expected_clicks(range(5))) == 5
