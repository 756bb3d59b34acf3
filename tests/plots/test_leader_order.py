"""The picture of a leader shows the leader, and nothing is dropped in silence."""

import re
from typing import Any

import pytest

from tests.plots.looks import arrows, illegible, said, words
from tests.plots.situations import ordered, played, three
from tests.policies.situations import policy_with
from unirank import GRAB, OSUB, SGRAB, ArgumentError, TopRank, UniRank, plots
from unirank.plots.canvas import OPEN, SURE
from unirank.plots.leader_order import MOST_GROUPS
from unirank.plots.leader_steps import Steps

SAMPLES = 2  # arrows of the legend


def colours(figure: Any) -> list[str]:
    to_hex = pytest.importorskip("matplotlib.colors").to_hex
    return [to_hex(a.get_edgecolor()).upper() for a in arrows(figure)[:-SAMPLES]]


def test_an_arrow_for_each_step_in_its_colour() -> None:
    figure = plots.leader(three())
    assert colours(figure) == [SURE, OPEN, SURE]
    assert [a.get_linestyle() in ("-", "solid") for a in arrows(figure)[:-SAMPLES]] == [
        True,
        False,
        True,
    ]


def test_items_groups_and_positions_are_written() -> None:
    wins = [[0, 3, 3, 3, 3], [0, 0, 1, 3, 3], [0, 1, 0, 3, 3], [0] * 5, [0] * 5]
    figure = plots.leader(policy_with(wins, 2, items=list("abcde"), seen=20))
    found = words(figure)
    for once in ("a", "b", "c", "d", "e", "1", "2\nfor 1 of 2", "below\nthe page"):
        assert found.count(once) == 1
    frames = [p for p in figure.axes[0].patches if type(p).__name__ == "FancyBboxPatch"]
    assert len(frames) == 3
    assert found[0] == "Leader of UniRank after 0 rounds"
    assert len(arrows(figure)) == 3 + SAMPLES


def test_pairs_are_told_in_words() -> None:
    policy = three()
    steps = Steps(policy)
    found = words(plots.leader(policy))
    assert "\n".join(steps.words_of(steps.all[0])) in found
    assert "closest: " + "\n".join(steps.words_of(steps.all[1])) in found


def test_below_the_page_the_closest_comes_first() -> None:
    wins = [[0, 20, 9, 20], [0, 0, 0, 0], [8, 0, 0, 0], [3, 0, 0, 0]]
    figure = plots.leader(policy_with(wins, 1, items=list("abcd"), seen=20))
    below = sorted(
        (t for t in figure.axes[0].texts if t.get_text() in list("bcd")),
        key=lambda t: float(t.get_position()[0]),
    )
    assert [text.get_text() for text in below] == ["c", "d", "b"]
    ends = [a.get_path().vertices[:, 0].max() for a in arrows(figure)[:3]]
    assert colours(figure)[0] == OPEN
    assert ends == sorted(ends)


def test_the_start_and_a_new_leader_are_said() -> None:
    start = plots.leader(UniRank(5, 2))
    assert arrows(start) == []
    assert "All items are tied" in said(start)
    assert "1 to 2\nfor 2 of 5" in words(start)
    new = plots.leader(three(seen=0))
    assert colours(new) == [OPEN] * 3
    assert "This leader is new" in said(new)
    assert "This leader is new" not in said(plots.leader(three()))


@pytest.mark.parametrize("cls", [GRAB, SGRAB, OSUB])
def test_lists_have_no_arrows(cls: Any) -> None:
    policy = cls(5, 3)
    shown = policy.rank()
    policy.update(shown, shown.items)
    figure = plots.leader(policy)
    assert arrows(figure) == []
    assert "compares whole lists" in said(figure)
    assert {"1", "2", "3", "below\nthe page"} <= set(words(figure))
    assert illegible(figure) == []


@pytest.mark.parametrize(("n_items", "n_positions"), [(4, 2), (7, 4), (12, 5), (12, 12)])
def test_up_to_twelve_items_are_all_drawn(n_items: int, n_positions: int) -> None:
    policy, _ = played(n_items, n_positions, 400)
    figure = plots.leader(policy)
    assert len(arrows(figure)) == len(policy.explain().neighbours) + SAMPLES
    assert "more" not in "".join(w for w in words(figure) if w.startswith(("+", "…")))
    assert illegible(figure) == []


@pytest.mark.parametrize(("n_items", "n_positions", "n_rounds"), [(50, 10, 300), (200, 9, 60)])
def test_of_many_items_those_left_out_are_counted(
    n_items: int, n_positions: int, n_rounds: int
) -> None:
    policy, _ = played(n_items, n_positions, n_rounds)
    figure = plots.leader(policy)
    boxes = [p for p in figure.axes[0].patches if type(p).__name__ == "Rectangle"]
    more = [int(n) for n in re.findall(r"\+(\d+) more", said(figure))]
    assert len(boxes) + sum(more) == n_items
    assert figure.get_figheight() < 9
    assert illegible(figure) == []


def test_of_many_groups_those_left_out_are_counted() -> None:
    figure = plots.leader(ordered(50, 30, won=9, lost=2, seen=50))
    left_out = 30 - MOST_GROUPS
    assert f"… {left_out} more groups, {left_out} items, not drawn …" in words(figure)
    found = words(figure)
    assert {"1", "11", "30"} <= set(found)
    boxes = [p for p in figure.axes[0].patches if type(p).__name__ == "Rectangle"]
    below = len(boxes) - MOST_GROUPS
    assert f"+{20 - below} more" in found
    assert len(arrows(figure)) == MOST_GROUPS - 2 + below + SAMPLES
    twelve = plots.leader(ordered(12, 12, won=9, lost=2, seen=50))
    assert "not drawn" not in said(twelve)


def test_names_are_written_as_they_are() -> None:
    items = ["$x$", r"\bad{$", "a name that is far too long for a box", "ok"]
    figure = plots.leader(policy_with([[0, 3, 3, 3]] + [[0] * 4] * 3, 1, items=items, seen=5))
    found = words(figure)
    assert {"$x$", r"\bad{$", "ok"} <= set(found)
    assert any(w.startswith("a name") and w.endswith("…") for w in found)
    assert illegible(figure) == []


def test_looking_changes_nothing() -> None:
    policy, _ = played(7, 4, 200)
    other, _ = played(7, 4, 200)
    plots.leader(policy)
    plots.pairs(policy)
    plots.iteration(policy)
    for _ in range(20):
        assert policy.rank() == other.rank()


def test_policies_without_a_leader_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"has a leader \(grab, osub, s-grab, unirank\), got T"):
        plots.leader(TopRank(4, 2, horizon=100))
