"""The drawing of a round is that of the policy's own next round."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.lab.plots.looks import arrows, illegible, said, words
from tests.lab.plots.situations import ordered, played, three
from tests.policies.situations import played_subsets
from unirank import ArgumentError, UniRank
from unirank.lab import plots
from unirank.lab.plots.one_round import Partition, paper_example
from unirank.lab.plots.words import signed
from unirank.policies import GRAB
from unirank.policies.uni_rank.leader import elicit_leader


def strips(figure: Any) -> list[list[list[str]]]:
    """The rows of groups, from the top: items by group, from the left."""
    axes = figure.axes[0]
    frames = [p for p in axes.patches if type(p).__name__ == "FancyBboxPatch"]
    rows: dict[float, list[tuple[float, list[str]]]] = {}
    for frame in frames:
        x, y, width, height = frame.get_bbox().bounds
        inside = sorted(
            (float(text.get_position()[0]), text.get_text())
            for text in axes.texts
            if x < text.get_position()[0] < x + width and y < text.get_position()[1] < y + height
        )
        rows.setdefault(round(y, 6), []).append((x, [name for _, name in inside]))
    return [[items for _, items in sorted(groups)] for _, groups in sorted(rows.items())]


def test_the_example_is_the_papers_after_its_errata() -> None:
    policy = paper_example()
    wins = policy.state.wins
    assert elicit_leader(np.sign(wins - wins.T), 4) == ((0, 1), (2,), (3, 4), (5, 6))
    assert wins[6, 5] > wins[5, 6]  # 7 is ahead of 6, and both stay in one subset
    explanation = policy.explain()
    assert explanation.trying == (explanation.neighbours[1],)
    shown = policy.rank()
    assert shown.items == (2, 1, 3, 5)
    assert shown.propensity == 1 / 12
    assert played_subsets(policy) == [{1, 2}, {3, 4, 5}]


def test_the_papers_figure() -> None:
    figure = plots.iteration()
    assert strips(figure) == [
        [["1", "2"], ["3"], ["4", "5"], ["6", "7"]],  # the leader
        [["1", "2", "3"], ["4", "5"], ["6", "7"]],  # and its neighbours
        [["1", "2"], ["3", "4", "5"], ["6", "7"]],
        [["1", "2"], ["3"], ["4", "5", "6"], ["7"]],
        [["1", "2"], ["3"], ["4", "5", "7"], ["6"]],
        [["1", "2"], ["3", "4", "5"], ["6", "7"]],  # played
        [["2"], ["1"], ["3"], ["5"]],  # shown
    ]
    assert "the chance of this list is 1 in 12" in said(figure)
    assert "the neighbour of largest index" in said(figure)
    assert illegible(figure) == []


def test_the_list_is_the_one_that_comes_next() -> None:
    policy, _ = played(6, 3, 40)
    shown = strips(plots.iteration(policy))[-1]
    assert shown == [[str(item)] for item in policy.rank().items]


def test_an_arrow_for_each_sign_and_a_dotted_line_for_each_tie() -> None:
    kinds = Counter(type(line.get_arrowstyle()).__name__ for line in arrows(plots.iteration()))
    assert kinds == {"CurveFilledB": 19, "Curve": 2}


def test_arrows_point_to_who_is_behind() -> None:
    figure = plots.iteration(ordered(3, 1, won=1, lost=5, seen=5))
    places = {text.get_position(): int(text.get_text()) for text in figure.axes[0].texts[1:4]}
    drawn = [t for t in figure.axes[0].texts if getattr(t, "arrow_patch", None)]
    assert len(drawn) == 3
    for arrow in drawn:
        assert places[arrow.xyann] > places[arrow.xy]  # each item lost to all after it


def test_indices_are_those_of_the_explanation() -> None:
    policy = three()
    found = words(plots.iteration(policy))
    for step in policy.explain().neighbours:
        chosen = step in policy.explain().trying
        assert f"{signed(step.index)}{', largest' * chosen}" in found


def test_the_leader_is_played_where_no_index_is_above_0() -> None:
    figure = plots.iteration(ordered(4, 2, won=400, lost=1, seen=50))
    assert "the leader: no index is above 0" in said(figure)
    rows = strips(figure)
    assert rows[0] == rows[-2] == [["0"], ["1"], ["2", "3"]]


def test_the_start_and_twelve_items_can_be_read() -> None:
    start = plots.iteration(UniRank(5, 2))
    assert "none: all items are tied" in said(start)
    assert illegible(start) == []
    assert illegible(plots.iteration(ordered(12, 12, won=9, lost=2, seen=40))) == []


def test_other_policies_and_many_items_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"got GRAB\(.*: GRAB gives no table of every pair"):
        plots.iteration(GRAB(4, 2))
    with pytest.raises(ArgumentError, match=r"at most 12 items .*, got 13; plots.leader draws"):
        plots.iteration(UniRank(13, 2))


def test_the_partition_that_is_drawn_as_played_is_the_one_that_was() -> None:
    for n in range(1, 60):
        policy, _ = played(6, 3, n)
        figure = plots.iteration(policy)
        drawn = [{int(item) for item in group} for group in strips(figure)[-2]]
        policy.rank()
        subsets = played_subsets(policy)
        if "neighbours of largest index that give" not in said(figure):
            assert drawn[: len(subsets)] == subsets


def test_a_list_respects_groups_from_the_top_of_the_page() -> None:
    partition = Partition(((1, 2), (3, 4, 5)), (6,))
    assert partition.gives([2, 1, 5, 3])
    assert not partition.gives([1, 3, 2, 4])
    assert not partition.gives([1, 2, 6])
