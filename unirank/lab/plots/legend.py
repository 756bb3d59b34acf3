"""One legend for all panels: curves under the clicks that their policy is made for."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from unirank.extras import optional
from unirank.lab.plots.theme import DASHES, STYLE, colour_of
from unirank.policies import registry
from unirank.policies.base.facts import display_label

# Headings by what the registry says of `clicks`; a fact that is not here is its own heading.
HEADINGS = {
    "any": "Any click model",
    "position-based": "Position-based only",
    "cascade": "Cascade only",
    "dependent clicks": "Cascade only",  # a cascade that may go on after a click
}
OTHERS = "Your own"
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
LETTER = 0.056  # inches, on average
HANDLE = 0.45  # inches of a sample of the line, and of the space between columns

Key = tuple[str, str]  # policy and label
Row = str | Key  # a heading, or a curve


class Labelled(Protocol):
    """A curve: a trace, a difference of two, or a bound."""

    @property
    def label(self) -> str: ...

    @property
    def policy(self) -> str: ...


def heading_of(policy: str) -> str:
    """Return the heading that a policy stands under; a class that has no name has its own."""
    facts = {entry.name: entry.facts for entry in registry}.get(policy.removeprefix("plain-"))
    if facts is None:
        return OTHERS
    clicks = facts.get("clicks", "any")
    return HEADINGS.get(clicks, f"{clicks[:1].upper()}{clicks[1:]} only")


def dashes_of(curves: Iterable[Labelled]) -> dict[Key, Any]:
    """Return dashes by policy and label: curves of the same colour differ in their dashes."""
    dashes: dict[Key, Any] = {}
    for curve in curves:
        if (curve.policy, curve.label) not in dashes:
            colour = colour_of(curve.policy)
            n_before = sum(colour_of(policy) == colour for policy, _ in dashes)
            dashes[curve.policy, curve.label] = DASHES[n_before % len(DASHES)]
    return dashes


def columns_of(dashes: Mapping[Key, Any], width: float) -> list[list[Row]]:
    """Return a column per heading with its curves, or a single one where `width` inches end.

    Where all curves stand under one heading, it is left out.
    """
    columns: dict[str, list[Row]] = {heading: [] for heading in HEADINGS.values()}
    for policy, label in dashes:
        heading = heading_of(policy)
        columns.setdefault(heading, []).append((policy, label))
    filled = [[heading, *rows] for heading, rows in columns.items() if rows]
    if len(filled) == 1:
        return [filled[0][1:]]  # a heading of all says nothing
    if sum(HANDLE + LETTER * max(map(_length, column)) for column in filled) <= width:
        return filled
    return [[row for column in filled for row in column]]


def add_legend(
    figure: Any, columns: Sequence[Sequence[Row]], dashes: Mapping[Key, Any], note: str
) -> None:
    """Write the legend below the panels, the note above its columns."""
    lines = optional("matplotlib.lines", "lab")
    n_rows = max(map(len, columns))
    rows = [row for column in columns for row in (*column, *[" "] * (n_rows - len(column)))]
    handles = [
        lines.Line2D([], [], ls="", label=row)
        if isinstance(row, str)
        else lines.Line2D(
            [],
            [],
            lw=1.2,
            label=raised(display_label(*row)),
            color=colour_of(row[0]),
            ls=dashes[row],
        )
        for row in rows
    ]
    legend = figure.legend(
        handles=handles, loc="outside lower center", ncols=len(columns), frameon=False,
        handlelength=2.6, columnspacing=1.2, labelspacing=0.25, borderpad=0,
        title=note, title_fontsize=STYLE["axes.labelsize"],
    )  # fmt: skip
    for text, row in zip(legend.get_texts(), rows, strict=True):
        text.set_fontweight("bold" if isinstance(row, str) else "normal")


def raised(label: str) -> str:
    """Return a label with its powers as people write them: 10^12 as 10¹²."""
    return re.sub(r"(?<=\d)\^(\d+)", lambda found: found[1].translate(SUPERSCRIPTS), label)


def _length(row: Row) -> int:
    return len(row) if isinstance(row, str) else len(raised(display_label(*row)))
