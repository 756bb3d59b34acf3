"""The figure of an A/B test: its arms, its band, and a warning where it is broken."""

from math import isnan

import pytest

import unirank as ur
from tests.lab.plots.looks import illegible, said
from unirank.errors import ArgumentError


def played(n_sessions: int, *, lose: bool = False, n_arms: int = 2) -> ur.Split:
    arms = {f"arm {n}": ur.policies.Oracle(4, 2, ranking=[n, n + 1]) for n in range(n_arms)}
    split = ur.Split(arms, key="figure")
    for session in range(n_sessions):
        shown = split.rank(session)
        if not (lose and shown.arm == "arm 1" and session % 2):
            split.update(
                shown, clicks=[shown.items[0]] if session % (2 if 1 in shown else 3) else []
            )
    return split


def test_the_band_is_the_interval_of_each_moment() -> None:
    split = played(2000)
    arms, differences = ur.plots.split(split).axes
    told = [moment for moment in split.history() if not isnan(moment.differences[0].low)]
    (band,) = differences.collections
    heights = band.get_paths()[0].vertices[:, 1]
    assert heights.min() == pytest.approx(min(moment.differences[0].low for moment in told))
    assert heights.max() == pytest.approx(max(moment.differences[0].high for moment in told))
    assert len(arms.lines) == 2
    assert "arm 0\n" in said(arms.figure)


def test_letters_can_be_read_and_three_arms_have_a_legend() -> None:
    figure = ur.plots.split(played(1500, n_arms=3), title="Spring")
    assert illegible(figure) == []
    assert [text.get_text() for text in figure.axes[1].get_legend().get_texts()] == [
        "arm 1",
        "arm 2",
    ]


def test_a_broken_split_is_written_above() -> None:
    figure = ur.plots.split(played(3000, lose=True))
    assert figure.get_suptitle().startswith("the split is broken (p = ")
    assert ur.plots.split(played(1000)).get_suptitle() == ""


def test_an_empty_test_is_drawn_and_something_else_is_refused() -> None:
    assert len(ur.plots.split(played(0)).axes) == 2
    with pytest.raises(ArgumentError, match=r"^test must be a Split, got 'x'"):
        ur.plots.split("x")  # type: ignore[arg-type]
