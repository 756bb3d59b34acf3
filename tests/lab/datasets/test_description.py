"""A data set in numbers, as JSON."""

import json
from pathlib import Path

from tests.lab.datasets.fakes import Publish
from tests.lab.datasets.fitted import CONTENT, saved
from unirank.lab.datasets.description import described, described_file


def test_the_ranges_are_those_of_the_file(mirror: Publish) -> None:
    path = mirror("yandex-pbm")
    report = described("yandex-pbm")
    assert report["queries"] == 2
    assert report["ranges"] == {
        "items per query": (3, 4),
        "attraction": (0.1, 0.9),
        "examination": (0.2, 1.0),
    }
    assert report["path"] == str(path)
    assert [each["query"] for each in report["anomalies"]] == ["7", "3"]
    assert json.loads(json.dumps(report))["anomalies"][1]["numbers"]["distinct"] == 3


def test_numbers_and_matrices_have_ranges_too(mirror: Publish) -> None:
    mirror("yandex-relpred")
    assert described("yandex-relpred-dbn")["ranges"]["abandon"] == (0.05, 0.05)
    ranges = described("yandex-relpred-ubm")["ranges"]
    assert ranges["examination_by_rank_and_last_click"] == (0.2, 1.0)


def test_a_fitted_file_is_described_by_click_model(tmp_path: Path) -> None:
    path = str(saved(tmp_path / "f.json"))
    report = described_file(path)
    assert (report["path"], report["source"]) == (path, CONTENT["source"])
    pbm = report["models"]["pbm"]
    assert pbm["queries"] == 2
    assert pbm["ranges"]["items per query"] == (2, 3)
    assert pbm["ranges"]["examination"] == (0.5, 1.0)
    assert pbm["warnings"] == {"shoes": ["few clicks"]}
