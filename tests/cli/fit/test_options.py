"""The options of `unirank fit` become arguments of `read_statistics`."""

from typing import get_args

import pytest

from unirank.cli.fit.options import HELD_OUT, N_QUERIES, Preset, ReadingOptions, SelectionOptions
from unirank.errors import ArgumentError
from unirank.logs.reading.query_selection import PRESETS


def test_presets_are_those_of_the_library() -> None:
    assert set(get_args(Preset)) == set(PRESETS)


def test_a_log_of_millions_of_queries_is_not_read_whole_by_default() -> None:
    assert SelectionOptions().settings(compare=False)["n_queries"] == N_QUERIES
    for chosen in (SelectionOptions(preset="kdd"), SelectionOptions(query=["a"])):
        assert chosen.settings(compare=False)["n_queries"] is None
    assert SelectionOptions(n_queries=7).settings(compare=False)["n_queries"] == 7


def test_models_are_compared_on_a_share_held_out() -> None:
    assert SelectionOptions().settings(compare=False)["held_out"] == 0.0
    assert SelectionOptions().settings(compare=True)["held_out"] == HELD_OUT
    assert SelectionOptions(held_out=0.5).settings(compare=True)["held_out"] == 0.5


def test_columns_are_read_as_pairs() -> None:
    assert ReadingOptions(columns="item=url").settings()["columns"] == {"item": "url"}
    with pytest.raises(ArgumentError, match="columns must look like"):
        ReadingOptions(columns="item").settings()
