from collections import Counter
from math import log2

import numpy as np
import pytest

from tests.logs.estimators.agreement import ITEMS, random_model, random_sessions
from unirank.click_models import CM, PBM
from unirank.errors import ArgumentError
from unirank.logs.pages import Pages
from unirank.logs.perplexity import FLOOR, expected_clicks, perplexity


def pages_of(seed: int) -> Pages:
    rows: Counter[tuple[tuple[int, ...], int]] = Counter()
    for page in random_sessions(seed):
        items = [ITEMS.index(item) for item in page.items] + [-1] * (4 - len(page.items))
        rows[tuple(items), sum(1 << k for k in page.clicks)] += 1
    shown, masks = zip(*rows, strict=True)
    return Pages(np.array(shown), np.array(masks), np.array(list(rows.values())))


@pytest.mark.parametrize("name", ["pbm", "cm", "dcm", "dbn", "ccm", "ubm"])
def test_perplexity_is_its_definition_session_by_session(name: str) -> None:
    model = random_model(name, seed=4)
    bits: list[list[float]] = [[] for _ in range(4)]
    for page in random_sessions(4):
        chances = model.expected_clicks([ITEMS.index(item) for item in page.items])
        for k, q in enumerate(chances):
            bits[k].append(log2(q) if k in page.clicks else log2(1 - q))
    found = perplexity(model, pages_of(4))
    by_position = [2 ** -(sum(column) / len(column)) for column in bits]
    assert found.by_position.tolist() == pytest.approx(by_position)
    every = [bit for column in bits for bit in column]
    assert found.overall == pytest.approx(2 ** -(sum(every) / len(every)))


def test_a_fair_coin_has_perplexity_two() -> None:
    found = perplexity(PBM([0.5] * 5, [1.0] * 4), pages_of(1))
    assert found.overall == pytest.approx(2.0)
    assert found.by_position.tolist() == pytest.approx([2.0] * 4)


def test_a_surprise_is_never_infinite() -> None:
    pages = Pages(np.array([[0, -1]]), np.array([1]), np.array([5]))
    assert perplexity(CM([0.0, 0.0]), pages).overall == pytest.approx(1 / FLOOR)
    certain = perplexity(CM([1.0, 0.0]), pages)
    assert certain.overall == pytest.approx(1 / (1 - FLOOR))
    assert np.isnan(certain.by_position[1])


def test_pages_beyond_the_click_model_are_refused() -> None:
    pages = Pages(np.array([[0, 2]]), np.array([1]), np.array([1]))
    with pytest.raises(ArgumentError, match=r"items of pages must be in 0..1, got 2"):
        perplexity(PBM([0.5, 0.5], [1.0, 1.0]), pages)
    with pytest.raises(ArgumentError, match=r"at most 1 positions, .* got 2"):
        perplexity(PBM([0.5] * 3, [1.0]), pages)


def test_unbound_bits_say_so() -> None:
    with pytest.raises(AssertionError, match="add_bits must be bound to a click model"):
        expected_clicks(None, None, None)
