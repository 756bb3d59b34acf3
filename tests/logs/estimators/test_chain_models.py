"""The E-step against all hidden paths, and the closed form that EM starts from."""

from collections import Counter
from itertools import permutations, product
from math import exp

import numpy as np
import pytest

from tests.logs.estimators.agreement import (
    ITEMS,
    N_POSITIONS,
    random_model,
    random_sessions,
    statistics_of,
)
from tests.reference.log_counting import Session, counted
from unirank.logs.estimators import fit, log_likelihood, registry
from unirank.logs.estimators.chain_models import chain_state

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


def closed_form(
    by_item: bool, sessions: list[Session]
) -> tuple[dict[str, float], dict[object, float]]:
    """The textbook's, session by session: a click is a stop if it is the last."""
    clicks: Counter[str] = Counter()
    reads: Counter[str] = Counter()
    clicked: Counter[object] = Counter()
    last: Counter[object] = Counter()
    for session in sessions:
        end = max(session.clicks, default=len(session.items) - 1)
        for position, item in enumerate(session.items[: end + 1]):
            reads[item] += 1
            if position in session.clicks:
                clicks[item] += 1
                clicked[item if by_item else position] += 1
                last[item if by_item else position] += position == end
    attraction = {item: clicks[item] / reads[item] for item in sorted(reads)}
    return attraction, {key: last[key] / clicked[key] for key in sorted(clicked, key=str)}


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("name", "own"), [("dcm", "stop_after_click"), ("sdbn", "satisfaction")])
def test_without_steps_a_fit_is_the_closed_form(name: str, own: str, seed: int) -> None:
    attraction, stops = closed_form(name == "sdbn", random_sessions(seed))
    found = fit(statistics_of(seed), name, max_iterations=0)
    assert found.parameters["attraction"].tolist() == pytest.approx(list(attraction.values()))
    assert found.parameters[own].tolist() == pytest.approx(list(stops.values()))
    assert (len(found.log_likelihood), found.settled, found.n_starts) == (1, False, 1)


@pytest.mark.parametrize("name", ["dcm", "sdbn"])
def test_steps_start_from_the_closed_form(name: str) -> None:
    statistics = statistics_of(1)
    closed = fit(statistics, name, max_iterations=0)
    assert closed.parameters["attraction"].max() < 1
    moved = fit(statistics, name, n_starts=1)
    assert moved.log_likelihood[0] == closed.log_likelihood[0]
    assert moved.log_likelihood[-1] > closed.log_likelihood[0]


def test_an_attraction_that_starts_at_one_can_be_left() -> None:
    # c says that users go on after b, so that a, which is clicked each time it stands at or above
    # the last click, was read in vain below b: 5 clicks in 25 reads.
    pages = 5 * [Session("q", ("a", "b"), (0,))] + 20 * [Session("q", ("b", "a"), (0,))]
    pages += 20 * [Session("q", ("b", "c"), (0, 1))]
    statistics = counted(pages, "q", 2)
    closed = fit(statistics, "sdbn", max_iterations=0)
    assert closed.parameters["attraction"].tolist() == [1.0, 1.0, 1.0]
    moved = fit(statistics, "sdbn", n_starts=1, tolerance=1e-15)
    assert moved.parameters["attraction"].tolist() == pytest.approx([0.2, 1.0, 1.0], abs=1e-3)
    assert moved.parameters["satisfaction"][1] == pytest.approx(0.0, abs=1e-3)
    assert moved.log_likelihood[-1] > closed.log_likelihood[-1]


@pytest.mark.parametrize("name", ["dcm", "sdbn", "dbn", "ccm"])
def test_impressions_count_each_page_once(name: str) -> None:
    shown = Counter(item for session in random_sessions(2) for item in session.items)
    found = fit(statistics_of(2), name, max_iterations=0)
    assert found.impressions.tolist() == [shown[item] for item in found.items]
    assert found.impressions.sum() <= N_POSITIONS * 70
