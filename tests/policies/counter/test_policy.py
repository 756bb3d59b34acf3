"""The counter: its rates by hand, when it counts, its files, and what it loses."""

from typing import Any

import numpy as np
import pytest

from tests.policies.counted import with_counts
from unirank import PBM, ArgumentError, simulate
from unirank.policies import Counter


def counted(clicked: list[int], shown: list[list[int]], **options: Any) -> Counter:
    listed, rounds = options.pop("listed", [0, 1]), [options.pop("rounds", 0)]
    policy: Counter = with_counts(
        Counter, 2, options, clicked=clicked, shown=shown, listed=listed, rounds=rounds
    )
    return policy


def test_items_are_sorted_by_smoothed_clicks_a_view() -> None:
    """Rates (c + 1) / (n + 10): 2 / 30, 3 / 30, 1 / 10, 9 / 110; equal ones as they were given."""
    policy = counted([1, 2, 0, 8], [[10, 10], [20, 0], [0, 0], [50, 50]], first_rate=0.1)
    assert policy.rank().items == (1, 2)
    assert policy.state.rates == pytest.approx([2 / 30, 3 / 30, 1 / 10, 9 / 110], rel=1e-15)


def test_views_count_by_the_examination_of_their_position() -> None:
    """Item 0 has 20 views that count 20; item 1 has 20 that count 5."""
    clicked, shown = [4, 2, 0], [[20, 0], [0, 20], [100, 0]]
    assert counted(clicked, shown, first_rate=0.1).rank().items == (0, 1)
    policy = counted(clicked, shown, examination=[1.0, 0.25], first_rate=0.1)
    assert policy.rank().items == (1, 0)
    assert policy.state.rates[:2] == pytest.approx([5 / 30, 3 / 15], rel=1e-15)


def test_a_high_first_rate_shows_what_nobody_has_seen() -> None:
    clicked, shown = [3, 2, 0], [[20, 0], [0, 20], [0, 0]]
    assert counted(clicked, shown, first_rate=0.05).rank().items == (0, 1)
    assert counted(clicked, shown, first_rate=0.5).rank().items == (2, 0)


def test_the_list_stays_until_the_next_count() -> None:
    policy = Counter(["a", "b", "c", "d"], 2, every=10, first_rate=0.1)
    lists = []
    for _ in range(21):
        shown = policy.rank()
        lists.append(shown.items)
        policy.update(shown, clicks={"b"} & set(shown))
    assert set(lists[:10]) == {("a", "b")}
    assert set(lists[10:20]) == {("b", "c")}  # a: 1 / 20, b: 11 / 20, c: 1 / 10
    assert lists[20] == ("b", "d")


def test_a_list_is_certain() -> None:
    policy = counted([0, 5, 0], [[9, 0], [0, 9], [0, 0]])
    assert policy.rank().propensity == 1.0
    assert policy.kernels.propensity(policy.state, np.array([0, 1])) == 0.0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"every": 0}, "every must be >= 1, got 0"),
        ({"first_rate": 0}, "first_rate must be a number > 0, got 0"),
        ({"examination": [1.0]}, "examination must have shape 2, got shape (1,)"),
        (
            {"examination": [0.5, 1.0]},
            "examination must not increase from position to position, got [0.5, 1.0]: number the "
            "positions in the order [1, 0]",
        ),
    ],
)
def test_a_wrong_option_is_named_with_its_rule(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Counter(3, 2, **options)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"clicked": [0, 3, 0]}, "clicked must be counts of at most shown"),
        ({"shown": [[0, -1], [1, 0], [0, 0]]}, "shown must be counts"),
        ({"listed": [1, 1]}, "listed must be different items, got [1, 1]"),
        ({"listed": [1, 3]}, "listed must be different items, got [1, 3]"),
        ({"rounds": -1}, "rounds must be in 0..1099511627775, got -1"),
    ],
)
def test_counts_that_cannot_be_are_refused(wrong: dict[str, Any], sentence: str) -> None:
    settings = {"clicked": [0, 0, 0], "shown": [[0, 1], [1, 0], [0, 0]], **wrong}
    with pytest.raises(ArgumentError) as caught:
        counted(**settings)
    assert str(caught.value) == sentence


SHOPS = [np.random.default_rng(500 + shop).beta(1.5, 8, 40) for shop in range(6)]
VIEWS = [300, 3000, 30_000]


def lost(policy: Any) -> Any:
    """Percent of the best list's clicks that are lost after so many views: 8 games of each shop."""
    shares = []
    for attraction in SHOPS:
        users = PBM(attraction, 1 / np.sqrt(np.arange(1, 9)))
        trace = simulate(
            policy, users, n_positions=8, n_rounds=VIEWS[-1], n_games=8, seed=3, checkpoints=VIEWS
        )
        best = users.value(users.best_ranking(8), "clicks")
        shares.append(100 * trace.mean / (np.array(VIEWS) * best))
    return np.mean(shares, axis=0)


def test_on_six_shops_it_loses_less_than_random_and_more_than_matchrank() -> None:
    """60 games: 45, 8.6, 3.0 % plain; 42, 6.5, 2.1 % corrected; 25, 6.4, 1.2 % MatchRank.

    The corrected one is told the examination, which a shop does not know.
    """
    plain, random, matchrank = lost("counter"), lost("random"), lost("matchrank")
    corrected = lost(("counter", {"examination": "told", "first_rate": 0.4}))
    assert (plain < random - 5).all()
    assert (matchrank < plain - 1).all()
    assert corrected[1:] == pytest.approx([6.5, 2.1], rel=0.15)
    assert plain[1:] == pytest.approx([8.6, 3.0], rel=0.15)
    assert matchrank[-1] < corrected[-1] - 0.5
