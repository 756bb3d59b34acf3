"""Small things that read better on a page than in a source."""

import re
from typing import Any

_ARRAY = re.compile(
    r"~?numpy\.ndarray\[tuple\[~?typing\.Any, \.\.\.\], ~?numpy\.dtype\[~?([\w.]+)\]\]"
)


def close_blocks(_: Any, __: str, source: list[str]) -> None:
    """Drop the blank line that doctest needs at the end of a block and readers do not."""
    source[0] = source[0].replace("\n\n```\n", "\n```\n")


def title_tables(_: Any, name: str, source: list[str]) -> None:
    """Call a page after its file if a command wrote it: tables, and headings of tables."""
    if source[0].startswith(("|", "## ")):
        source[0] = f"# {name.rpartition('/')[2].capitalize()}\n\n{source[0]}"


def shorten_signature(*event: Any) -> tuple[str | None, str | None]:
    """Write arrays as our code does, and defaults that have no spelling as dots."""
    signature, returns = event[-2:]
    return shortened(signature), shortened(returns)


def shortened(text: str | None) -> str | None:
    return text and _ARRAY.sub(r"NDArray[~\1]", text).replace("<factory>", "...")
