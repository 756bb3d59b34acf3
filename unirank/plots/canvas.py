"""Drawings that are not curves: an empty figure in inches, boxes, frames and words that fit.

The origin is the upper left corner, y goes down. Item ids are written as they are: a dollar in one
is a dollar, not mathematics.
"""

from collections.abc import Iterable
from typing import Any

from unirank.extras import optional

SMALL = 6.5  # points; nothing is written smaller
POINT = 1 / 72  # inch
INK, GREY, FAINT = "#222222", "#777777", "#F2F2F2"
MINUS = "\N{MINUS SIGN}"  # as long as a plus
SURE, OPEN = "#0072B2", "#D55E00"  # what is settled and what is not
PALE = "#DCEBF5"  # items on the page


def canvas(width: float, height: float) -> tuple[Any, Any]:
    """A figure of that size and its axes, which are as large and count in inches."""
    figure = optional("matplotlib.figure", "lab").Figure((width, height), dpi=300, layout="none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set(xlim=(0, width), ylim=(height, 0))
    return figure, axes


def cropped(figure: Any, axes: Any, height: float) -> None:
    """Make the figure as high as what was drawn, now that this is known."""
    figure.set_size_inches(figure.get_figwidth(), height)
    axes.set_ylim(height, 0)


def write(axes: Any, x: float, y: float, words: str, **look: Any) -> Any:
    look = {"size": SMALL, "color": INK, "va": "center", "linespacing": 1.15, **look}
    return axes.text(x, y, words, parse_math=False, **look)


def length_of(words: str, size: float = SMALL, weight: str = "normal") -> float:
    """Inches that words take on one line."""
    paths = optional("matplotlib.textpath", "lab")
    font = optional("matplotlib.font_manager", "lab").FontProperties(size=size, weight=weight)
    width, _, _ = paths.text_to_path.get_text_width_height_descent(words, font, ismath=False)
    return float(width) * POINT


def shortened(words: str, width: float, size: float = SMALL) -> str:
    """The words, or as many of their letters as take `width` inches, and an ellipsis."""
    if length_of(words, size) <= width:
        return words
    kept = next((n for n in range(len(words), 1, -1) if _fits(words[:n], width, size)), 1)
    return f"{words[:kept]}…"


def _fits(start: str, width: float, size: float) -> bool:
    return length_of(f"{start}…", size) <= width


def ink_on(colour: Any) -> str:
    """White or dark ink, whichever stands out more from a colour (contrast as WCAG defines it)."""
    here = _luminance(colour) + 0.05
    return "white" if 1.05 / here > here / (_luminance(INK) + 0.05) else INK


def _luminance(colour: Any) -> float:
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in optional("matplotlib.colors", "lab").to_rgb(colour)
    )
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def widest(words: Iterable[str], size: float = SMALL) -> float:
    return max((length_of(word, size) for word in words), default=0.0)


def box(axes: Any, x: float, y: float, width: float, height: float, words: str, face: str) -> Any:
    """A box with its upper left corner at (x, y), and words in its middle."""
    patches = optional("matplotlib.patches", "lab")
    look = {"facecolor": face, "edgecolor": INK, "linewidth": 0.6}
    drawn = axes.add_patch(patches.Rectangle((x, y), width, height, **look, zorder=3))
    fitting = shortened(words, width - 0.03)
    look = {"ha": "center", "va": "center_baseline", "zorder": 4}
    write(axes, x + width / 2, y + height / 2, fitting, **look)
    return drawn


def frame(axes: Any, x: float, y: float, width: float, height: float, **look: Any) -> Any:
    """A rounded frame around boxes."""
    patches = optional("matplotlib.patches", "lab")
    style = patches.BoxStyle.Round(pad=0, rounding_size=0.05)
    look = {"facecolor": "white", "edgecolor": INK, "linewidth": 0.9, "zorder": 2, **look}
    return axes.add_patch(patches.FancyBboxPatch((x, y), width, height, boxstyle=style, **look))


def arrow(axes: Any, start: tuple[float, float], end: tuple[float, float], **look: Any) -> Any:
    """An arrow between two points."""
    patches = optional("matplotlib.patches", "lab")
    look = {"arrowstyle": "-|>", "mutation_scale": 6, "shrinkA": 0, "shrinkB": 0, **look}
    return axes.add_patch(patches.FancyArrowPatch(start, end, **look))
