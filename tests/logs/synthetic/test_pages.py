"""Pages are uniform rankings at their addresses, as long as their query allows."""

import numpy as np
import pytest

from tests.logs.synthetic.made import ITEMS, USERS, WITH_PBM
from tests.reference.randomness import GAME, Rng, shuffled_prefix
from unirank.click_models import CM
from unirank.errors import ArgumentError
from unirank.logs.synthetic.pages import drawn_pages, ids_of


def test_pages_are_those_of_their_definition() -> None:
    pages = drawn_pages(USERS, ids_of(USERS, ITEMS), 3, 4, seed=5)
    ids = [[str(item) for item in items] for items in ITEMS.values()]
    assert pages.items == tuple(item for items in ids for item in items)
    assert (pages.queries, pages.width) == (("12", "7", "30"), 3)
    for page, query in enumerate(pages.query):
        rng = Rng(5, int(query), GAME, page % 4)
        length = min(3, len(ids[query]))
        ranking = shuffled_prefix(list(range(len(ids[query]))), 0, length, rng)[:length]
        assert pages.rankings(query)[page % 4].tolist() == ranking
        assert pages.length[page] == length
        assert [pages.items[n] for n in pages.shown[page, :length]] == [
            ids[query][n] for n in ranking
        ]
        assert (pages.shown[page, length:] == -1).all()


def test_pages_are_as_long_as_their_query_allows() -> None:
    pages = drawn_pages(USERS, ids_of(USERS, None), 3, 4, seed=0)
    assert pages.length.tolist() == [3] * 4 + [3] * 4 + [2] * 4
    short = drawn_pages(WITH_PBM, ids_of(WITH_PBM, None), 10, 2, seed=0)
    assert short.length.tolist() == [2, 2]  # the positions of its click model


def test_every_ranking_is_as_likely() -> None:
    pages = drawn_pages({"q": CM([0.5] * 3)}, {"q": (1, 2, 3)}, 2, 6000, seed=1)
    _, counts = np.unique(pages.shown, axis=0, return_counts=True)
    assert len(counts) == 6
    assert (np.abs(counts - 1000) < 4 * np.sqrt(6000 * (1 / 6) * (5 / 6))).all()


def test_items_without_ids_are_numbered_over_all_queries() -> None:
    assert ids_of(USERS, None) == {"12": (1, 2, 3, 4, 5), "7": (6, 7, 8, 9), "30": (10, 11)}


def test_users_are_of_one_click_model_and_items_of_their_queries() -> None:
    with pytest.raises(ArgumentError, match=r"users must be of one click model, got \['cm', 'dbn'"):
        ids_of({**USERS, "other": CM([0.5])}, None)
    with pytest.raises(ArgumentError, match="users must not be empty"):
        ids_of({}, None)
    with pytest.raises(ArgumentError, match="items of query '30' must be 2 ids, got 1"):
        ids_of(USERS, {**ITEMS, "30": ["x"]})
    with pytest.raises(ArgumentError, match="items of query '30' must be unique, got 'x' twice"):
        ids_of(USERS, {**ITEMS, "30": ["x", "x"]})
    with pytest.raises(ArgumentError, match="items must have ids for query '12'"):
        ids_of(USERS, {"7": ITEMS["7"]})
