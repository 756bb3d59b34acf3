"""Sessions are those of their definition, whatever the blocks, and click as their models do."""

from typing import Any

import numpy as np
import pytest

from tests.logs.synthetic.made import USERS, small_log, small_sessions
from tests.reference.log_counting import Session
from unirank.errors import ArgumentError
from unirank.logs.synthetic.drawing import SyntheticLog


def sessions_of(log: SyntheticLog, n_sessions: int, size: int) -> list[Session]:
    found: list[Session] = []
    for block in log.blocks(n_sessions, size):
        assert block.first == len(found) + 1
        for page, clicks in zip(block.page, block.clicks, strict=True):
            shown = log.pages.shown[page, : log.pages.length[page]]
            assert not clicks[len(shown) :].any()
            query = log.pages.queries[log.pages.query[page]]
            items = tuple(log.pages.items[item] for item in shown)
            found.append(Session(query, items, tuple(np.flatnonzero(clicks).tolist())))
    return found


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_sessions_are_those_of_the_definition_in_blocks_of_any_size(size: int) -> None:
    assert sessions_of(small_log(), 200, size) == small_sessions(200)


@pytest.mark.parametrize(
    "changes", [{"seed": 6}, {"zipf": 0.0}, {"n_pages": 1}, {"n_positions": 10}, {"zipf": 2.5}]
)
def test_every_setting_has_its_effect(changes: dict[str, Any]) -> None:
    found = sessions_of(small_log(**changes), 100, 30)
    assert found == small_sessions(100, **changes)
    assert found != small_sessions(100)


def test_click_rates_are_those_of_the_click_models() -> None:
    log = small_log(seed=11)
    (block,) = log.blocks(60_000)
    for page, query in enumerate(log.pages.query):
        mine = block.clicks[block.page == page]
        ranking = log.pages.rankings(query)[page % log.n_pages]
        expected = list(USERS.values())[query].expected_clicks(ranking.tolist())
        error = np.sqrt(expected * (1 - expected) / len(mine))
        assert (np.abs(mine[:, : len(ranking)].mean(0) - expected) < 4 * error).all()


def test_queries_have_the_weights_of_their_ranks_and_pages_are_shown_alike() -> None:
    log = small_log(zipf=1.0)
    (block,) = log.blocks(60_000)
    weights = np.array([1, 1 / 2, 1 / 3]) / (1 + 1 / 2 + 1 / 3)
    expected = np.repeat(weights / 4, 4)
    shares = np.bincount(block.page, minlength=12) / 60_000
    assert (np.abs(shares - expected) < 4 * np.sqrt(expected * (1 - expected) / 60_000)).all()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"n_positions": 0}, "n_positions must be >= 1, got 0"),
        ({"n_pages": 0}, "n_pages must be in 1.."),
        ({"zipf": -1.0}, "zipf must be a number >= 0, got -1.0"),
        ({"seed": -1}, "seed must be in 0.."),
    ],
)
def test_a_mistake_is_named(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        small_log(**changes)
    assert said in str(caught.value)
    with pytest.raises(ArgumentError, match=r"n_sessions must be in 1..\d+, got 0"):
        next(small_log().blocks(0))
