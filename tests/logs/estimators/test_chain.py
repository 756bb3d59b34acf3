"""The E-step against all hidden paths, one by one."""

from itertools import permutations, product
from math import exp

import numpy as np
import pytest

from tests.logs.estimators.agreement import ITEMS, random_model, statistics_of
from tests.reference.log_counting import Session, counted
from unirank.logs.estimators import log_likelihood, registry
from unirank.logs.estimators.chain import chain_state

CHAINS = ["dcm", "sdbn", "dbn", "ccm"]


def test_the_head_holds_what_was_read_for_certain() -> None:
    pages = [Session("q", ("a", "b", "c"), (0, 1)), Session("q", ("b", "a"), ())]
    table = counted(pages, "q", 3).chains
    assert table is not None
    head = chain_state(table, 3, by_position=True, by_group=3, shared=0, prior=0.0).head
    assert head.reads.tolist() == [1, 1, 0]
    assert head.clicks.tolist() == [1, 1, 0]
    assert head.on.tolist() == [1, 0, 0]  # the second click was the last
    assert head.skips.tolist() == [0]
    by_item = chain_state(table, 3, by_position=False, by_group=3, shared=0, prior=0.0)
    assert by_item.on.shape == by_item.off.shape == (3,)


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_read_and_every_way_on_is_counted_once(name: str, seed: int) -> None:
    statistics = statistics_of(seed)
    estimator = registry[name](statistics, "em", 0.0, True)
    estimator.load(random_model(name, seed).parameters)
    estimator.climb(np.empty(1), 0.0)
    state, table = estimator.state, statistics.chains
    assert table is not None
    below = (table.tails[:, 1:] >= 0) & (table.tails[:, :-1] >= 0)  # a click or read, then more
    clicked = table.clicked[:, np.newaxis] == np.arange(table.tails.shape[1] - 1)
    last_clicks = table.sessions[(below & clicked).any(axis=1)].sum()
    on_and_off = state.on.sum() + state.off.sum()
    assert on_and_off == pytest.approx(state.head.on.sum() + last_clicks)
    # Skips that had something below: all reads but clicks, and but those at the end of the page.
    assert state.reads.sum() >= state.head.reads.sum()
    assert np.all(state.reads <= estimator.impressions() + 1e-9)


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("n_positions", [1, 2, 4])
def test_click_patterns_sum_to_one_and_have_the_models_own_click_rates(
    name: str, n_positions: int
) -> None:
    model = random_model(name, seed=n_positions)
    rankings = list(permutations(range(5), n_positions))[::17]
    for ranking in rankings:
        clicks_by_position = np.zeros(n_positions)
        total = 0.0
        for pattern in product((False, True), repeat=n_positions):
            clicks = tuple(k for k in range(n_positions) if pattern[k])
            page = Session("q", tuple(ITEMS[item] for item in ranking), clicks)
            others = [
                Session("q", (item,), ()) for item in ITEMS
            ]  # so that items are numbered alike
            with_page, without = counted([page, *others], "q", 4), counted(others, "q", 4)
            chance = exp(log_likelihood(with_page, model) - log_likelihood(without, model))
            total += chance
            clicks_by_position += np.multiply(pattern, chance)
        assert total == pytest.approx(1.0)
        assert clicks_by_position == pytest.approx(model.expected_clicks(ranking))
