from collections import Counter
from math import log2

import numpy as np
import pytest

from tests.logs.estimators.agreement import ITEMS, random_model, random_sessions
from unirank.errors import ArgumentError
from unirank.logs.prediction import FLOOR, expected_clicks, page_bits, prediction
from unirank.logs.statistics import Pages
from unirank.users import CM, PBM


def pages_of(seed: int) -> Pages:
    rows: Counter[tuple[tuple[int, ...], tuple[bool, ...]]] = Counter()
    for page in random_sessions(seed):
        items = [ITEMS.index(item) for item in page.items] + [-1] * (4 - len(page.items))
        rows[tuple(items), tuple(k in page.clicks for k in range(4))] += 1
    shown, clicks = zip(*rows, strict=True)
    return Pages("q", np.array(shown), np.array(clicks), np.array(list(rows.values())))


def one_page(items: list[int], clicks: list[bool], sessions: int) -> Pages:
    return Pages("q", np.array([items]), np.array([clicks]), np.array([sessions]))


@pytest.mark.parametrize("name", ["pbm", "cm", "dcm", "dbn", "ccm", "ubm"])
def test_perplexity_is_its_definition_session_by_session(name: str) -> None:
    model = random_model(name, seed=4)
    bits: list[list[float]] = [[] for _ in range(4)]
    for page in random_sessions(4):
        chances = model.expected_clicks([ITEMS.index(item) for item in page.items])
        for k, q in enumerate(chances):
            bits[k].append(log2(q) if k in page.clicks else log2(1 - q))
    found = prediction([(model, pages_of(4))])
    by_position = [2 ** -(sum(column) / len(column)) for column in bits]
    assert found.perplexity_by_position.tolist() == pytest.approx(by_position)
    every = [bit for column in bits for bit in column]
    assert found.perplexity == pytest.approx(2 ** -(sum(every) / len(every)))


@pytest.mark.parametrize("name", ["pbm", "dbn"])
def test_the_bits_of_pages_add_up_to_those_of_positions(name: str) -> None:
    model, pages = random_model(name, seed=4), pages_of(4)
    bits = page_bits(model, pages)
    assert bits @ pages.sessions == pytest.approx(prediction([(model, pages)]).bits.sum())
    (alone,) = page_bits(model, one_page([1, 2, -1], [True, False, False], 9))
    first, second = model.expected_clicks([1, 2])
    assert alone == pytest.approx(-log2(first) - log2(1 - second))


def test_a_fair_coin_has_perplexity_two() -> None:
    found = prediction([(PBM([0.5] * 5, [1.0] * 4), pages_of(1))])
    assert found.perplexity == pytest.approx(2.0)
    assert found.perplexity_by_position.tolist() == pytest.approx([2.0] * 4)


def test_a_surprise_is_never_infinite() -> None:
    pages = one_page([0, -1], [True, False], 5)
    assert prediction([(CM([0.0, 0.0]), pages)]).perplexity == pytest.approx(1 / FLOOR)
    certain = prediction([(CM([1.0, 0.0]), pages)])
    assert certain.perplexity == pytest.approx(1 / (1 - FLOOR))
    assert np.isnan(certain.perplexity_by_position[1])


def test_examination_is_that_of_the_model_whatever_is_shown() -> None:
    looks = [1.0, 0.6, 0.5, 0.2]
    found = prediction([(PBM([0.5, 0.3, 0.0, 0.9, 0.2], looks), pages_of(3))])
    assert found.examination.tolist() == pytest.approx(looks)


def test_a_cascade_reads_on_where_nothing_was_clicked() -> None:
    found = prediction([(CM([0.5, 0.2]), one_page([1, 0], [False, True], 3))])
    assert found.examination.tolist() == pytest.approx([1.0, 0.8])
    assert found.expected_click_rate.tolist() == pytest.approx([0.2, 0.4])
    assert found.click_rate.tolist() == [0.0, 1.0]


def test_queries_are_added_up() -> None:
    model, pages = random_model("dbn", seed=2), pages_of(2)
    once, twice = prediction([(model, pages)]), prediction([(model, pages), (model, pages)])
    assert twice.clicks.tolist() == [2 * clicks for clicks in once.clicks]
    assert twice.perplexity == pytest.approx(once.perplexity)


def test_pages_beyond_the_click_model_are_refused() -> None:
    pages = one_page([0, 2], [True, False], 1)
    with pytest.raises(ArgumentError, match=r"items of pages must be in 0..1, got 2"):
        prediction([(PBM([0.5, 0.5], [1.0, 1.0]), pages)])
    with pytest.raises(ArgumentError, match=r"at most 1 positions, .* got 2"):
        prediction([(PBM([0.5] * 3, [1.0]), pages)])


def test_an_unbound_kernel_says_so() -> None:
    with pytest.raises(AssertionError, match="add_sessions must be bound to a click model"):
        expected_clicks(None, None, None)
