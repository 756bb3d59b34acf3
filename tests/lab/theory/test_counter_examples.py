"""Counter-examples stand up to users: what they say is what users do."""

from typing import Any

import numpy as np
import pytest

from tests.reference import theory
from unirank.lab.theory import compared
from unirank.lab.theory.assumptions import Assumptions, check_assumptions
from unirank.lab.theory.counter_examples import best_known
from unirank.policies.kernels.compiling import bind
from unirank.policies.kernels.randomness import USERS, at_round, stream_key
from unirank.users import CM, DBN, DCM, PBM, ClickModel, base

N_USERS = 100_000
SIGMAS = 5.0  # margin of a frequency; with a fixed seed it is broken for ever or never

# Item 1 satisfies whom it attracts and item 0 nobody: above item 1, item 0 leaves it its clicks.
CONTRADICTING = DBN([0.5, 0.45, 0.1], [0.0, 1.0, 0.5], 0.0)


def holds(found: Assumptions) -> list[bool]:
    return [assumption.holds for assumption in found.all]


def drawn_difference(users: ClickModel, ranking: tuple[int, ...], i: int, j: int) -> Any:
    """Rates of i clicked alone and of j clicked alone, on the ranking and on it exchanged."""
    exchanged = theory.exchange(ranking, i, j)
    counts = np.zeros((2, 2), np.int64)
    count: Any = bind(count_alone, users.name, click=users.kernels.click)
    for half, shown in enumerate((list(ranking), exchanged)):
        places = [shown.index(item) if item in shown else -1 for item in (i, j)]
        key = np.uint64(stream_key(3, half, USERS))
        clicks = np.zeros(len(shown), np.bool_)
        count(users.parameters, np.array(shown), key, N_USERS, *places, clicks, counts[half])
    return counts.sum(axis=0) / (2 * N_USERS)


def click(*_: Any) -> None:
    """Placeholder in `count_alone`."""
    raise AssertionError("count_alone must be bound to a click model")


def count_alone(
    model: Any,
    ranking: Any,
    key: Any,
    n_users: int,
    k: int,
    l: int,  # noqa: E741
    clicks: Any,
    counts: Any,
) -> None:
    for user in range(n_users):
        click(model, ranking, at_round(key, user + 1), clicks)
        first = k >= 0 and clicks[k]
        second = l >= 0 and clicks[l]
        if first != second:
            counts[0 if first else 1] += 1


def check_by_users(users: ClickModel, ranking: tuple[int, ...], i: int, j: int) -> float:
    """Users click as `compared` says; return their mean of c_i - c_j."""
    exact = compared(users, ranking, i, j)
    alone = drawn_difference(users, ranking, i, j)
    error = SIGMAS * np.sqrt(max(exact.probability, 1e-9) / (2 * N_USERS))
    assert abs(alone.sum() - exact.probability) < error
    assert abs(alone[0] - alone[1] - exact.probability * exact.difference) < error
    return float(alone[0] - alone[1])


def test_pbm_with_examination_out_of_order_has_a_better_ranking() -> None:
    users = PBM([0.5, 0.4, 0.3, 0.1], [0.3, 0.9, 0.6])
    found = check_assumptions(users, 3)
    assert holds(found) == [True, True, False, True]
    broken = found.optimal_reward.counter_example
    assert broken is not None
    compatible, best = broken.rankings
    assert compatible == (0, 1, 2)
    rates = []
    for ranking in (compatible, best):
        drawn = [users.draw_clicks(ranking, seed=0, round=r).sum() for r in range(1, 20_001)]
        rates.append(np.mean(drawn))
        margin = SIGMAS * np.std(drawn) / np.sqrt(len(drawn))
        assert abs(rates[-1] - users.value(ranking)) < margin
    assert rates[1] - rates[0] > 0.05
    assert broken.numbers == {"clicks": users.value(compatible), "most clicks": users.value(best)}


def test_a_click_model_that_contradicts_itself_is_shown_to() -> None:
    found = check_assumptions(CONTRADICTING, 2)
    assert not found.identifiability.holds
    broken = found.identifiability.counter_example
    assert broken is not None
    i, j = broken.items
    against, favour = broken.rankings
    assert (
        check_by_users(CONTRADICTING, against, i, j)
        < 0
        < check_by_users(CONTRADICTING, favour, i, j)
    )
    assert broken.numbers["difference"] < 0 < broken.numbers["difference elsewhere"]


def test_a_position_that_nobody_looks_at_tells_nothing() -> None:
    users = PBM([0.5, 0.4, 0.3], [1.0, 0.0])
    for method in ("closed form", "exhaustive"):
        found = check_assumptions(users, 2, method=method)
        assert holds(found) == [True, False, False, False]
        broken = found.identifiability.counter_example
        assert broken is not None
        assert "as their clicks never differ" in broken.sentence
        assert drawn_difference(users, broken.rankings[0], *broken.items).tolist() == [0, 0]


def test_an_item_that_everybody_clicks_hides_the_others() -> None:
    found = check_assumptions(CM([1.0, 0.5, 0.3]), 3)
    assert found.order == ((0,), (1, 2))
    assert holds(found) == [True, False, True, False]
    assert found.some_order


def test_satisfaction_per_item_breaks_the_optimal_reward() -> None:
    """The most attractive item satisfies: shown first, it takes the clicks of all others."""
    users = DBN([0.6, 0.5, 0.4, 0.3], [0.9, 0.1, 0.1, 0.1], 0.05)
    found = check_assumptions(users, 3)
    assert found.order == ((0,), (1,), (2,), (3,))
    assert holds(found) == [True, True, False, True]
    broken = found.optimal_reward.counter_example
    assert broken is not None
    assert broken.rankings == ((0, 1, 2), users.best_ranking(3))
    assert users.best_ranking(3)[0] == 1
    assert broken.numbers["most clicks"] > 1.1 * broken.numbers["clicks"]


def test_a_tie_is_named_with_its_place() -> None:
    found = check_assumptions(PBM([0.5, 0.3, 0.3, 0.1], [1, 0.8]), 2)
    broken = found.strict_total_order.counter_example
    assert broken is not None
    assert broken.sentence == "no ranking tells items 1 and 2 apart, and they share place 2"
    assert set(broken.items) == {1, 2}
    assert broken.numbers["difference"] == 0
    assert check_by_users(PBM([0.5, 0.3, 0.3, 0.1], [1, 0.8]), broken.rankings[0], 1, 2) < 0.01


def test_three_items_that_no_order_allows() -> None:
    # 0 is ahead of 1 everywhere, but rankings contradict each other about 2 and each of them.
    rng = np.random.default_rng(0)
    sentences = []
    for _ in range(300):
        users = DBN(rng.uniform(0.3, 0.6, 4), rng.uniform(0, 1, 4), 0.0)
        found = check_assumptions(users, 3)
        broken = found.strict_weak_order.counter_example
        if broken is None:
            continue
        i, j, k = broken.items
        least = found.pairs.least_difference
        assert least[i, j] > 0
        if "cycle" not in broken.sentence:
            assert least[i, k] <= 0
            assert least[k, j] <= 0
            for (a, b), ranking in zip(((i, j), (i, k), (k, j)), broken.rankings, strict=True):
                assert compared(users, ranking, a, b).difference == pytest.approx(least[a, b])
        sentences.append(broken.sentence)
        assert not found.strict_total_order.holds
    assert len(sentences) > 5


def test_where_nobody_can_search_exchanges_climb(monkeypatch: pytest.MonkeyPatch) -> None:
    users = DCM([0.1, 0.5, 0.3, 0.4, 0.2], [0.6, 0.2, 0.4])
    best = users.best_value(3)
    assert users.value(best_known(users, (4, 0, 2))) == best
    monkeypatch.setattr(base, "MOST_RANKINGS", 10)
    climbed = best_known(users, (4, 0, 2))
    assert users.value((4, 0, 2)) < users.value(climbed) <= best
    assert best_known(users, climbed) == climbed
