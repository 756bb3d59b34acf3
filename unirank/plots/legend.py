"""One legend for all panels: curves grouped by the clicks that their policy is made for."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations, pairwise
from typing import Any, Protocol

from unirank.extras import optional
from unirank.plots.theme import DASHES, STYLE, colour_of
from unirank.policies import registry

# Headings by what the registry says of `clicks`; a fact that is not here is its own heading.
HEADINGS = {
    "any": "Any click model",
    "position-based": "Position-based only",
    "cascade": "Cascade only",
    "dependent clicks": "Cascade only",  # a cascade that may go on after a click
}
UNKNOWN = "Not registered"
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
LETTER = 0.056  # inches, on average
HANDLE = 0.45  # inches of a sample of the line, and of the space between columns

Row = str | tuple[str, str]  # a heading, or policy and label


class Named(Protocol):
    """What has a curve: a trace, or a difference of two."""

    @property
    def label(self) -> str: ...

    @property
    def policy(self) -> str: ...


def heading_of(policy: str) -> str:
    """The heading that a policy stands under."""
    facts = {entry.name: entry.facts for entry in registry}.get(policy)
    if facts is None:
        return UNKNOWN
    clicks = facts.get("clicks", "any")
    return HEADINGS.get(clicks, f"{clicks[:1].upper()}{clicks[1:]} only")


def dashes_of(curves: Iterable[Named]) -> dict[tuple[str, str], Any]:
    """Dashes by policy and label, the same in every panel; they tell variants of one policy."""
    dashes: dict[tuple[str, str], Any] = {}
    for curve in curves:
        if (curve.policy, curve.label) not in dashes:
            n_before = sum(policy == curve.policy for policy, _ in dashes)
            dashes[curve.policy, curve.label] = DASHES[n_before % len(DASHES)]
    return dashes


def grouped(dashes: Mapping[tuple[str, str], Any]) -> dict[str, list[tuple[str, str]]]:
    """Policies and labels by heading: those of `HEADINGS` in its order, then any others."""
    groups: dict[str, list[tuple[str, str]]] = {heading: [] for heading in HEADINGS.values()}
    for policy, label in dashes:
        groups.setdefault(heading_of(policy), []).append((policy, label))
    return {heading: members for heading, members in groups.items() if members}


def arranged(dashes: Mapping[tuple[str, str], Any], width: float) -> list[list[Row]]:
    """Columns of the legend, as many as `width` inches hold: headings, each with its curves."""
    blocks: list[list[Row]] = [[heading, *rows] for heading, rows in grouped(dashes).items()]
    for n_columns in range(len(blocks), 1, -1):
        columns = packed(blocks, n_columns)
        if sum(HANDLE + LETTER * max(map(_length, column)) for column in columns) <= width:
            return columns
    return packed(blocks, 1)


def packed(blocks: Sequence[list[Row]], n_columns: int) -> list[list[Row]]:
    """Blocks in order in so many columns, the longest of them as short as can be."""
    ways = [
        [list(chain(*blocks[start:end])) for start, end in pairwise((0, *cuts, len(blocks)))]
        for cuts in combinations(range(1, len(blocks)), n_columns - 1)
    ]
    return min(ways, key=lambda columns: max(map(len, columns)))


def add_legend(
    figure: Any, columns: Sequence[Sequence[Row]], dashes: Mapping[tuple[str, str], Any], note: str
) -> None:
    """Write the legend below the panels, the note above its columns."""
    lines = optional("matplotlib.lines", "lab")
    n_rows = max(map(len, columns))
    handles: list[Any] = []
    for column in columns:
        # Columns are filled from the top: blank lines make each start where it should.
        for row in [*column, *[" "] * (n_rows - len(column))]:
            if isinstance(row, str):
                handles.append(lines.Line2D([], [], ls="", label=row))
            else:
                look = {"color": colour_of(row[0]), "ls": dashes[row]}
                handles.append(lines.Line2D([], [], lw=1.2, label=raised(row[1]), **look))
    legend = figure.legend(
        handles=handles, loc="outside lower center", ncols=len(columns), frameon=False,
        handlelength=2.6, columnspacing=1.2, labelspacing=0.25, borderpad=0,
        title=note, title_fontsize=STYLE["axes.labelsize"],
    )  # fmt: skip
    headings = {row for column in columns for row in column if isinstance(row, str)}
    for text, handle in zip(legend.get_texts(), handles, strict=True):
        if handle.get_linestyle() == "None" and text.get_text() in headings:
            text.set_fontweight("bold")


def raised(label: str) -> str:
    """A label with its powers as people write them: 10^12 as 10¹²."""
    return re.sub(r"(?<=\d)\^(\d+)", lambda found: found[1].translate(SUPERSCRIPTS), label)


def _length(row: Row) -> int:
    return len(row) if isinstance(row, str) else len(raised(row[1]))
