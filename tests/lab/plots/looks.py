"""What a reader sees in a figure: its words, and whether they can be read."""

from itertools import combinations
from typing import Any

SMALLEST = 6.5  # points


def texts(figure: Any) -> list[Any]:
    """Every text that is drawn, tick labels included."""
    figure.draw_without_rendering()
    found = [text for axes in figure.axes for text in axes.texts]
    for axes in figure.axes:
        if axes.axison:
            for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
                inside = [
                    min(low, high) <= tick.get_loc() <= max(low, high)
                    for tick in axis.get_major_ticks()
                ]
                found += [
                    label for label, here in zip(axis.get_ticklabels(), inside, strict=True) if here
                ]
            found += [axes.xaxis.label, axes.yaxis.label]
    return [text for text in found if text.get_text() and text.get_visible()]


def words(figure: Any) -> list[str]:
    return [text.get_text() for text in texts(figure)]


def said(figure: Any) -> str:
    return "\n".join(words(figure))


def arrows(figure: Any) -> list[Any]:
    found = [getattr(text, "arrow_patch", None) for axes in figure.axes for text in axes.texts]
    return [arrow for arrow in found if arrow is not None]


def marked(axes: Any, mark: str) -> list[Any]:
    """Patches that carry this mark."""
    return [patch for patch in axes.patches if patch.get_gid() == mark]


def illegible(figure: Any) -> list[tuple[str, ...]]:
    """Words that overlap others, stick out of the figure, or are too small."""
    found = texts(figure)
    boxes = [text.get_window_extent() for text in found]
    width, height = figure.bbox.width, figure.bbox.height
    wrong: list[tuple[str, ...]] = [
        (text.get_text(),)
        for text, box in zip(found, boxes, strict=True)
        if text.get_size() < SMALLEST
        or min(box.x0, box.y0) < -1
        or box.x1 > width + 1
        or box.y1 > height + 1
    ]
    for (one, here), (two, there) in combinations(zip(found, boxes, strict=True), 2):
        if here.padded(-3).overlaps(there.padded(-3)):
            wrong.append((one.get_text(), two.get_text()))
    return wrong
