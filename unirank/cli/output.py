"""What commands print: lines and tables on a console."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from cyclopts import Parameter
from rich.box import SIMPLE_HEAD, Box
from rich.console import Console
from rich.table import Table
from rich.text import Text

AsJson = Annotated[bool, Parameter(name="--json", negative="")]


def say(console: Console, line: str) -> None:
    """Print a line as it is: no markup, no colours, no wrapping."""
    console.print(line, markup=False, highlight=False, soft_wrap=True)


def table(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers_from: int | None = 1,
    title: str = "",
    box: Box = SIMPLE_HEAD,
) -> Table:
    """Return a table whose first column is not wrapped; columns from `numbers_from` align right."""
    found = Table(box=box, collapse_padding=True)
    found.title, found.title_justify = title or None, "left"
    for place, column in enumerate(header):
        is_number = numbers_from is not None and place >= numbers_from
        found.add_column(
            column,
            justify="right" if is_number else "left",
            no_wrap=place == 0,
            overflow="fold",
        )
    for row in rows:
        found.add_row(*(Text(cell) for cell in row))
    return found
