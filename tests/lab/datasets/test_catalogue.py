"""Data sets are the file's own numbers under our names."""

import pytest

from tests.lab.datasets.fakes import EXAMINATION, Publish, needs
from unirank import list_click_models
from unirank.errors import UnknownNameError
from unirank.lab.datasets.catalogue import DATA_SETS, data_set, fitted
from unirank.lab.datasets.published_files import FILES


def test_every_data_set_has_a_published_file_and_a_click_model() -> None:
    for each in DATA_SETS.values():
        assert each.file in FILES
        assert each.model.name == each.click_model
    relpred = {each.click_model for each in DATA_SETS.values() if each.section}
    assert relpred == {"pbm", "cm", "dcm", "dbn", "ccm", "ubm"} <= set(list_click_models())


def test_nothing_is_sorted_or_dropped(mirror: Publish) -> None:
    mirror("yandex-pbm")
    assert list(fitted("yandex-pbm")) == ["7", "3"]
    assert fitted("yandex-pbm")["7"] == {
        "attraction": [0.1, 0.5, 0.3],
        "examination": [0.2, 1.0, 0.6],
    }


def test_a_bare_list_is_attraction(mirror: Publish) -> None:
    mirror("yandex-cm")
    assert fitted("yandex-cm")["2"] == {"attraction": [0.1, 0.5, 0.2]}


def test_one_file_holds_six_data_sets(mirror: Publish) -> None:
    mirror("yandex-relpred")
    ubm = fitted("yandex-relpred-ubm")["8"]
    assert ubm["examination_by_rank_and_last_click"] == EXAMINATION
    assert fitted("yandex-relpred-cm") == {"8": {"attraction": [0.1, 0.3, 0.2]}}


def test_an_unknown_data_set_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown data set 'yandex'; did you mean 'yandex-"):
        data_set("yandex")
    with pytest.raises(UnknownNameError, match="unknown data set \\[\\]"):
        data_set([])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=needs(d.file)) for n, d in DATA_SETS.items()]
)
def test_the_real_files_hold_as_many_queries_as_we_say(name: str) -> None:
    assert len(fitted(name)) == DATA_SETS[name].n_queries
