"""What the options of `unirank fit` ask of the reader."""

from typing import get_args

import pytest

from unirank.cli.fit_options import HELD_OUT, N_QUERIES, Kept, Preset, Read
from unirank.errors import ArgumentError
from unirank.logs.reading.choosing import PRESETS


def test_presets_are_those_of_the_library() -> None:
    assert set(get_args(Preset)) == set(PRESETS)


def test_a_log_of_millions_of_queries_is_not_read_whole_by_default() -> None:
    assert Kept().choice(compare=False)["n_queries"] == N_QUERIES
    for chosen in (Kept(preset="kdd"), Kept(query=["a"])):
        assert chosen.choice(compare=False)["n_queries"] is None
    assert Kept(n_queries=7).choice(compare=False)["n_queries"] == 7


def test_models_are_compared_on_a_share_held_out() -> None:
    assert Kept().choice(compare=False)["held_out"] == 0.0
    assert Kept().choice(compare=True)["held_out"] == HELD_OUT
    assert Kept(held_out=0.5).choice(compare=True)["held_out"] == 0.5


def test_columns_are_read_as_pairs() -> None:
    assert Read(columns="item=url").settings()["columns"] == {"item": "url"}
    with pytest.raises(ArgumentError, match="columns must look like"):
        Read(columns="item").settings()
