"""The picture of tests has a bar for each pair, as long as its evidence."""

import re
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex

from tests.lab.plots.looks import illegible, words
from tests.lab.plots.situations import three
from tests.policies.match_rank.situations import overruled, played, put_test, sized
from unirank import ArgumentError, MatchRank, UniRank
from unirank.lab import plots
from unirank.lab.plots.pair_tests import MOST_BELOW, MOST_NEIGHBOURS
from unirank.lab.plots.theme import GREY, OPEN, SURE
from unirank.policies import GRAB


def bars(figure: Any) -> list[Any]:
    return list(figure.axes[0].patches)


def labels(figure: Any) -> list[str]:
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def chances(figure: Any) -> list[float]:
    (dots,) = [line for line in figure.axes[2].lines if line.get_marker() == "o"]
    return list(dots.get_xdata())


def colours(figure: Any) -> list[str]:
    return [to_hex(bar.get_facecolor()).upper() for bar in bars(figure)]


def test_a_bar_for_each_pair_as_long_as_its_evidence() -> None:
    policy = played(800)
    found = policy.explain()
    expected = found.tests
    figure = plots.pair_tests(policy)
    assert [bar.get_width() for bar in bars(figure)] == [test.strength for test in expected]
    assert labels(figure) == [f"{test.ahead} > {test.behind}" for test in expected]
    assert chances(figure) == pytest.approx([100 * test.chance for test in expected])


def test_colours_tell_the_decided_and_the_contradicted() -> None:
    policy = overruled()
    put_test(policy, 1, 0, gain=-1.0, spread=1.0)
    put_test(policy, 1, 3, gain=1.0, spread=1.0)
    assert colours(plots.pair_tests(policy)) == [SURE, OPEN, GREY]


def test_the_clicks_are_written() -> None:
    policy = played(500)
    put_test(policy, 1, 2, gain=3.0, spread=4.0)
    put_test(policy, 2, 0, gain=0.0, spread=0.0)
    found = words(plots.pair_tests(policy))
    assert "11 of 16" in found  # of the first one
    assert "no click" in found


def test_lines_stand_where_tests_decide() -> None:
    """At odds of 1 / doubt^2, about 1500 after 500 rounds."""
    policy = played(500)
    z = policy.explain().z_to_decide
    left = plots.pair_tests(policy).axes[0]
    ends = [line.get_xdata() for line in left.lines]
    assert [start for start, end in ends if start == end] == [0, -1, 1]
    put_test(policy, 1, 2, gain=1.001 * z * np.sqrt(10.5), spread=10.0)
    assert policy.explain().tests[0].decided
    put_test(policy, 1, 2, gain=0.999 * z * np.sqrt(10.5), spread=10.0)
    assert not policy.explain().tests[0].decided


def test_many_clicks_are_written_in_a_few_letters() -> None:
    policy = played(500)
    put_test(policy, 1, 2, gain=300.0, spread=10_000.0)
    assert "20k of 40k" in words(plots.pair_tests(policy))


def test_notes_explain_the_colours_that_are_there() -> None:
    grey = MatchRank(["a", "b"], 2)
    assert not re.search("blue|Orange", plots.pair_tests(grey).get_supxlabel())
    both = overruled()
    put_test(both, 1, 0, gain=-1.0, spread=1.0)
    assert re.findall("blue|Orange", plots.pair_tests(both).get_supxlabel()) == ["blue", "Orange"]


def test_numbers_stand_beside_the_bars_and_say_what_the_explanation_says() -> None:
    policy = played(500)
    left, middle, _ = plots.pair_tests(policy).axes
    assert not left.texts
    written = [text.get_text().split()[0] for text in middle.texts]
    told = [str(test) for test in policy.explain().tests]
    assert all(f"the first won {won} of" in line for won, line in zip(written, told, strict=True))


def test_small_chances_are_told_apart() -> None:
    """50 items outside share the chance of one neighbour."""
    policy = MatchRank(60, 10, seed=1)
    for item in range(10, 18):
        put_test(policy, 9, item, gain=0.6 * (item - 10), spread=4.0)  # z from 0 to 2
    axes = plots.pair_tests(policy).axes[2]
    (dots,) = [line for line in axes.lines if line.get_marker() == "o"]
    places = axes.transData.transform(dots.get_xydata()[[9, -1]])[:, 0]
    assert abs(np.diff(places)) > 0.1 * axes.get_window_extent().width


def test_chances_that_are_next_to_nothing_are_at_the_edge() -> None:
    policy = overruled()
    assert policy.explain().tests[0].chance < 1e-6
    figure = plots.pair_tests(policy)
    assert chances(figure)[0] == figure.axes[2].get_xlim()[0] >= 1e-4


def test_items_have_the_names_that_the_picture_of_the_leader_has() -> None:
    policy = sized(30, 10, 40, [f"article-{n:02d}-long-name" for n in range(30)])
    leader = [label.get_text() for label in plots.leader(policy).axes[0].get_yticklabels()]
    assert labels(plots.pair_tests(policy))[0] == f"{leader[0]} > {leader[1]}"


@pytest.mark.parametrize("name", ["a very long product name number", "W" * 30])
def test_long_names_differ_and_leave_room_for_the_titles(name: str) -> None:
    policy = sized(30, 10, 40, [f"{name} {n}" for n in range(30)])
    figure = plots.pair_tests(policy)
    assert illegible(figure) == []
    assert len(set(labels(figure))) == len(bars(figure))


def test_what_is_left_out_is_counted() -> None:
    figure = plots.pair_tests(sized(60, 25, 10))
    assert len(bars(figure)) == MOST_NEIGHBOURS + MOST_BELOW
    assert figure.get_supxlabel().endswith(f"Not drawn: {24 + 35 - 28} more pairs.")


@pytest.mark.parametrize("size", [(2, 1), (2, 2), (4, 4), (12, 5), (60, 25)])
@pytest.mark.parametrize("n_rounds", [0, 40])
def test_tests_of_all_sizes_can_be_read(size: tuple[int, int], n_rounds: int) -> None:
    assert illegible(plots.pair_tests(sized(*size, n_rounds))) == []


def test_names_are_written_as_they_are() -> None:
    items = ["$x$", r"\bad{$", "a name that is far too long for a row", "ok"]
    assert illegible(plots.pair_tests(MatchRank(items, 2))) == []


def test_other_policies_and_single_items_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"got GRAB\(.*: GRAB gives no evidence of pairs"):
        plots.pair_tests(GRAB(3, 2))
    for nothing in (UniRank(3, 2), MatchRank(1, 1)):
        with pytest.raises(
            ArgumentError, match=r"^policy must have two .* explanation has no pair$"
        ):
            plots.pair_tests(nothing)


def test_pairs_without_chances_have_no_column_of_them() -> None:
    policy = three()
    figure = plots.pair_tests(policy)
    assert len(figure.axes) == 2
    assert "Swap" not in figure.get_supxlabel()
    assert "weighted" not in figure.get_supxlabel()
    expected = policy.explain().pairs or ()
    assert [bar.get_width() for bar in bars(figure)] == [pair.strength for pair in expected]
    assert labels(figure) == ["a > b", "b > c", "b > d"]
    assert colours(figure) == [SURE, GREY, SURE]
    assert illegible(figure) == []
