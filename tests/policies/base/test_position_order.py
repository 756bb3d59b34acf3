"""position_order: the page's order outside, the policy's order inside, nothing else changed."""

from itertools import permutations
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.policies.situations import contents
from unirank import PBM, ArgumentError, Ranking, StateFileError, UniRank, load
from unirank.page.state_file import read_state_file, write_state_file
from unirank.policies import Oracle

ORDER = (2, 0, 3, 1)  # people look at the third place of the page first
ATTRACTION = [0.1, 0.8, 0.3, 0.6, 0.2, 0.45]
LOOKS = [0.7, 0.2, 1.0, 0.4]  # by place of the page
PAGE = PBM(ATTRACTION, LOOKS)


def clicked(shown: Ranking, users: PBM = PAGE) -> list[int | str]:
    clicks = users.draw_clicks([int(i) for i in shown.items], seed=1, round=shown.round)
    return [item for item, click in zip(shown.items, clicks, strict=True) if click]


def by_rank(shown: Ranking) -> tuple[int | str, ...]:
    return tuple(shown.items[place] for place in ORDER)


def oracle(order: Any = None) -> Oracle:
    best = ["d", "b", "c", "a"]
    return Oracle(["a", "b", "c", "d", "e"], 4, ranking=best, position_order=order)


@pytest.mark.parametrize("order", [*permutations(range(4))])
def test_rank_r_stands_at_the_position_that_the_order_gives_it(order: tuple[int, ...]) -> None:
    shown = oracle(order).rank()
    assert [shown.items[place] for place in order] == ["d", "b", "c", "a"]


def test_the_round_and_the_propensity_are_those_of_the_policy() -> None:
    page, plain = UniRank(6, 4, seed=3, position_order=ORDER), UniRank(6, 4, seed=3)
    for round_ in range(1, 51):
        shown, inside = page.rank(), plain.rank()
        assert (shown.round, shown.propensity) == (inside.round, inside.propensity)
        assert by_rank(shown) == inside.items
        assert (page.round, page.items, page.n_positions) == (round_, plain.items, 4)
        page.update(shown, clicked(shown))
        plain.update(inside, clicked(shown))


def test_on_the_page_it_is_the_policy_on_the_sorted_page_click_by_click() -> None:
    sorted_page = PAGE.reordered(ORDER)
    assert sorted_page.settings["examination"] == [1.0, 0.7, 0.4, 0.2]
    page, plain = UniRank(6, 4, seed=5, position_order=ORDER), UniRank(6, 4, seed=5)
    for _ in range(2000):
        shown, inside = page.rank(), plain.rank()
        assert by_rank(shown) == inside.items
        page.update(shown, clicked(shown))
        plain.update(inside, clicked(inside, sorted_page))
    np.testing.assert_array_equal(page.state.wins, plain.state.wins)


def shares_of_best(page: UniRank, n_rounds: int = 5000) -> float:
    """How often the best page was shown in the second half of the rounds."""
    best = PAGE.best_ranking(4)
    found = 0
    for round_ in range(n_rounds):
        shown = page.rank()
        page.update(shown, clicked(shown))
        found += round_ >= n_rounds // 2 and shown.items == best
    return found / (n_rounds - n_rounds // 2)


def test_unirank_learns_the_right_order_of_the_page_and_without_it_a_wrong_one() -> None:
    # The best page has .8 where people look first, .6 where they look next, and so on. Other pages
    # are shown to explore: .44 to .50 of them are the best for six seeds, and none without it.
    assert [ATTRACTION[item] for item in PAGE.best_ranking(4)] == [0.6, 0.3, 0.8, 0.45]
    assert shares_of_best(UniRank(6, 4, seed=1, position_order=PAGE.position_order(4))) > 0.4
    assert shares_of_best(UniRank(6, 4, seed=1)) == 0


# Answers.


def test_a_round_number_or_its_ranking_is_answered_late_and_once() -> None:
    page, plain = UniRank(6, 4, seed=2, position_order=ORDER), UniRank(6, 4, seed=2)
    shown = [page.rank() for _ in range(6)]
    inside = [plain.rank() for _ in range(6)]
    for answered in (4, 1, 0, 5):
        how = shown[answered].round if answered % 2 else shown[answered]
        page.update(how, clicked(shown[answered]))
        plain.update(inside[answered], clicked(shown[answered]))
    np.testing.assert_array_equal(page.state.wins, plain.state.wins)
    with pytest.raises(ArgumentError, match=r"^round 5 was already updated$"):
        page.update(shown[4], [])


@pytest.mark.parametrize(
    "items",
    [("d", "b", "c", "a"), ("b", "a", "d", "e"), ("b", "a", "d"), ("b", "a", "d", "c", "e")],
)
def test_a_ranking_that_was_not_given_is_refused(items: tuple[str, ...]) -> None:
    page = oracle(ORDER)
    assert page.rank().items == ("b", "a", "d", "c")
    with pytest.raises(ArgumentError, match=r"^shown must "):
        page.update(Ranking(items, 1, nan), [])
    page.update(Ranking(("b", "a", "d", "c"), 1, nan), ["b"])


# Files.


@pytest.mark.parametrize("order", [ORDER, (0, 1, 2, 3)])
def test_a_loaded_one_goes_on_exactly(tmp_path: Path, order: tuple[int, ...]) -> None:
    page = UniRank(6, 4, seed=4, position_order=order)
    for _ in range(200):
        shown = page.rank()
        page.update(shown, clicked(shown))
    late = page.rank()
    page.save(tmp_path / "state")
    loaded = load(tmp_path / "state")
    assert isinstance(loaded, UniRank)
    assert loaded.leader == page.leader
    assert repr(loaded) == repr(page)
    for one in (page, loaded):
        one.update(late, clicked(late))
    for _ in range(200):
        shown = page.rank()
        again = loaded.rank()
        assert again == shown
        page.update(shown, clicked(shown))
        loaded.update(again, clicked(shown))
    assert contents(loaded) == contents(page)


@pytest.mark.parametrize("order", [[0], [0, 1, 2], [1, 2, 3, 4], [0, 0, 1, 2], [-1, 0, 1, 2]])
def test_a_forged_order_is_refused(tmp_path: Path, order: list[int]) -> None:
    path = tmp_path / "state"
    oracle(ORDER).save(path)
    saved = read_state_file(path)
    saved.position_order = order
    write_state_file(saved, path)
    with pytest.raises(StateFileError) as caught:
        load(path)
    told = f"is not a valid state: position_order must be a permutation of 0..3, got {order}"
    assert str(caught.value) == f"{str(path)!r} {told}"


# Arguments.


@pytest.mark.parametrize(
    "order", [[], [0, 1, 2], [0, 1, 2, 2], [1, 2, 3, 4], [0, 1, 2, 3.0], [0, 1, 2, True], "0123", 4]
)
def test_an_order_that_is_no_permutation_is_refused(order: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        oracle(order)
    assert str(caught.value) == f"position_order must be a permutation of 0..3, got {order!r}"


@pytest.mark.parametrize("order", [np.array(ORDER), iter(ORDER), tuple(ORDER)])
def test_any_kind_of_list_is_an_order(order: Any) -> None:
    page = oracle(order)
    assert page.position_order == ORDER
    assert "position_order=[2, 0, 3, 1], round=0" in repr(page)
