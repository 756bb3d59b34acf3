"""Published parameters are read from the folder that UNIRANK_DATA names."""

import json
from pathlib import Path

import pytest

from unirank import ArgumentError
from unirank.datasets.yandex import yandex_pbm


def test_the_largest_items_and_positions_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = {"1": {"thetas": [0.1, 0.5, 0.3], "kappas": [0.2, 1.0, 0.6]}, "2": {}}
    (tmp_path / "param_Yandex.txt").write_text(json.dumps(queries))
    monkeypatch.setenv("UNIRANK_DATA", str(tmp_path))
    (users,) = yandex_pbm(n_queries=1, n_items=2, n_positions=2).values()
    assert users.settings["attraction"] == [0.5, 0.3]
    assert users.settings["examination"] == [1.0, 0.6]


def test_a_missing_folder_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UNIRANK_DATA", raising=False)
    with pytest.raises(ArgumentError, match="UNIRANK_DATA must name a folder that holds param_Y"):
        yandex_pbm()
