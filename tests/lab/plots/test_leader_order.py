"""The picture of a leader shows the leader, and says what it leaves out."""

import re
from typing import Any

import pytest

from tests.lab.plots.looks import arrows, illegible, said, words
from tests.lab.plots.situations import ordered, played, three
from tests.policies.situations import policy_with
from unirank import ArgumentError, TopRank, UniRank
from unirank.lab import plots
from unirank.lab.plots.leader_order import MOST_GROUPS, WIDTHS
from unirank.lab.plots.theme import OPEN, SURE
from unirank.lab.plots.words import signed
from unirank.policies import GRAB, OSUB
from unirank.policies.kernels.indices import budget, kl


def colours(figure: Any) -> list[str]:
    to_hex = pytest.importorskip("matplotlib.colors").to_hex
    return [to_hex(a.get_edgecolor()).upper() for a in arrows(figure)]


def test_an_arrow_for_each_step_as_wide_as_its_evidence() -> None:
    found = arrows(figure := plots.leader(three()))
    assert colours(figure) == [SURE, OPEN]
    assert [a.get_linestyle() in ("-", "solid") for a in found] == [True, False]
    share = 22 * kl(10 / 22, 0.5) / budget(100, 3.0)
    expected = [WIDTHS[1], WIDTHS[0] + share * (WIDTHS[1] - WIDTHS[0])]
    assert [a.get_linewidth() for a in found] == pytest.approx(expected)


def test_items_groups_and_positions_are_written() -> None:
    wins = [[0, 3, 3, 3, 3], [0, 0, 1, 3, 3], [0, 1, 0, 3, 3], [0] * 5, [0] * 5]
    figure = plots.leader(policy_with(wins, 2, items=list("abcde"), seen=20))
    found = words(figure)
    for once in ("a", "b   c", "d   e", "1", "2\nfor 1 of 2", "below\nthe page"):
        assert found.count(once) == 1
    assert figure.axes[0].get_title(loc="left") == "Leader of UniRank after 0 rounds"


def test_pairs_are_told_in_words() -> None:
    policy = three()
    first, second, _ = policy.explain().neighbours
    found = words(plots.leader(policy))
    assert f"a beats b: 40 of 44\nŝ +0.82, at least {signed(-first.index)}" in found
    tried = f"b beats c: 12 of 22\nŝ +0.09, at least {signed(-second.index)}; tried next"
    assert tried in found


def test_below_the_page_the_closest_comes_first() -> None:
    wins = [[0, 20, 9, 20], [0, 0, 0, 0], [8, 0, 0, 0], [3, 0, 0, 0]]
    figure = plots.leader(policy_with(wins, 1, items=list("abcd"), seen=20))
    assert "c   d   b" in words(figure)
    assert "a beats c: 9 of 17" in said(figure)


def test_the_start_and_a_new_leader_are_said() -> None:
    start = plots.leader(UniRank(5, 2))
    assert arrows(start) == []
    assert "All items are tied" in said(start)
    assert "1 to 2\nfor 2 of 5" in words(start)
    new = plots.leader(three(seen=0))
    assert colours(new) == [OPEN] * 2
    assert {a.get_linewidth() for a in arrows(new)} == {WIDTHS[0]}
    assert "This order is new" in said(new)
    assert "This order is new" not in said(plots.leader(three()))


@pytest.mark.parametrize("cls", [GRAB, OSUB])
def test_lists_have_no_arrows(cls: Any) -> None:
    policy = cls(5, 3)
    shown = policy.rank()
    policy.update(shown, shown.items)
    figure = plots.leader(policy)
    assert arrows(figure) == []
    assert f"{cls.__name__} gives no evidence of pairs" in said(figure)
    assert {"1", "2", "3", "below\nthe page"} <= set(words(figure))
    assert illegible(figure) == []


@pytest.mark.parametrize(("n_items", "n_positions"), [(4, 2), (12, 12), (200, 9)])
def test_leaders_of_all_sizes_can_be_read(n_items: int, n_positions: int) -> None:
    policy, _ = played(n_items, n_positions, 100)
    assert illegible(plots.leader(policy)) == []


def test_of_many_groups_those_left_out_are_counted() -> None:
    figure = plots.leader(ordered(50, 30, won=9, lost=2, seen=50))
    assert f"… {30 - MOST_GROUPS} more groups, not drawn …" in words(figure)
    assert {"1", "11", "30"} <= set(words(figure))
    assert len(arrows(figure)) == MOST_GROUPS - 1
    assert illegible(figure) == []
    twelve = plots.leader(ordered(12, 12, won=9, lost=2, seen=50))
    assert "not drawn" not in said(twelve)


def test_names_are_written_as_they_are() -> None:
    items = ["$x$", r"\bad{$", "a name that is far too long for a box", "ok"]
    figure = plots.leader(policy_with([[0, 3, 3, 3]] + [[0] * 4] * 3, 1, items=items, seen=5))
    figure.draw_without_rendering()
    assert r"\$x\$" in words(figure)
    assert illegible(figure) == []


def test_long_names_differ() -> None:
    items = [f"a very long product name number {n}" for n in range(3)]
    policy = policy_with([[0, 40, 40], [4, 0, 40], [0, 4, 0]], 2, seen=100, items=items)
    assert said(plots.leader(policy)).startswith("1\n…name number 0\n")
    assert "… number 0 beats … number 1: 40 of 44" in said(plots.leader(policy))


def test_looking_changes_nothing() -> None:
    policy, _ = played(7, 4, 200)
    other, _ = played(7, 4, 200)
    plots.leader(policy)
    plots.pairs(policy)
    plots.iteration(policy)
    for _ in range(20):
        assert policy.rank() == other.rank()


def test_policies_without_a_leader_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"^policy must .*, got TopRank\(.* gives no order of"):
        plots.leader(TopRank(4, 2, horizon=100))


def test_clicks_that_fade_are_written_with_one_decimal() -> None:
    policy = UniRank(["a", "b"], 2, seed=1, half_life=30)
    for _ in range(20):
        policy.update(policy.rank(), ["a"])
    figure = plots.leader(policy)
    assert re.search(r"a beats b: (\d+\.\d) of \1\n", said(figure))
    assert "Older clicks count less" in policy.explain().about_pairs
    assert illegible(figure) == []
