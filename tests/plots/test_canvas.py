"""Inches are inches, and words fit where they are written."""

import pytest

from tests.plots.looks import illegible, words
from unirank.plots.canvas import (
    INK,
    arrow,
    box,
    canvas,
    cropped,
    frame,
    ink_on,
    length_of,
    shortened,
    widest,
    write,
)


def test_the_axes_count_in_inches_from_the_upper_left() -> None:
    figure, axes = canvas(3.0, 2.0)
    assert figure.get_size_inches().tolist() == [3.0, 2.0]
    x, y = axes.transData.transform((1.0, 0.5)) / figure.dpi
    assert (x, y) == pytest.approx((1.0, 1.5))


def test_a_cropped_figure_keeps_its_scale() -> None:
    figure, axes = canvas(3.0, 20.0)
    cropped(figure, axes, 1.5)
    x, y = axes.transData.transform((1.0, 0.5)) / figure.dpi
    assert figure.get_size_inches().tolist() == [3.0, 1.5]
    assert (x, y) == pytest.approx((1.0, 1.0))


@pytest.mark.parametrize("name", ["tea", "a name of several words", "Ünïcödé", "a$b$c", "$x_$"])
def test_lengths_are_those_of_what_is_drawn(name: str) -> None:
    figure, axes = canvas(3.0, 1.0)
    drawn = write(axes, 0.1, 0.5, name).get_window_extent()
    assert length_of(name) == pytest.approx(drawn.width / figure.dpi, abs=0.03)


def test_long_words_are_shortened_to_what_fits() -> None:
    assert shortened("tea", 1.0) == "tea"
    assert shortened("", 0.0) == ""
    cut = shortened("a very long name", 0.5)
    assert cut.endswith("…")
    assert "a very long name".startswith(cut[:-1])
    assert length_of(cut) <= 0.5 < length_of("a very long name"[: len(cut)] + "…")
    assert shortened("wide", 0.0) == "w…"


def test_ink_stands_out() -> None:
    assert [ink_on(c) for c in ("black", "#0072B2", (0.2, 0.1, 0.4))] == ["white"] * 3
    assert [ink_on(c) for c in ("white", "#D55E00", (0.9, 0.9, 0.1))] == [INK] * 3


def test_the_widest_of_none_is_nothing() -> None:
    assert widest([]) == 0.0
    assert widest(["i", "www"]) == length_of("www")


def test_a_box_holds_its_words() -> None:
    figure, axes = canvas(3.0, 1.0)
    drawn = box(axes, 0.2, 0.1, 0.6, 0.2, "a very long name $1$", "white")
    frame(axes, 0.1, 0.05, 1.0, 0.4)
    arrow(axes, (0.1, 0.5), (1.0, 0.5))
    (text,) = axes.texts
    assert text.get_text().startswith("a very")
    inner, outer = text.get_window_extent(), drawn.get_window_extent()
    assert outer.x0 < inner.x0 < inner.x1 < outer.x1
    assert len(axes.patches) == 3
    assert words(figure) == [text.get_text()]
    assert illegible(figure) == []
