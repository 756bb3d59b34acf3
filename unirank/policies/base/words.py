"""Items, clicks and chances as people read them, in explanations and on the dashboard."""

from collections.abc import Iterable, Sequence
from textwrap import wrap

LINE = 100  # letters, unless an item's id is longer


def joined(items: Iterable[object], word: str = "and") -> str:
    """Write tea, mug and pot."""
    names = [str(item) for item in items]
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def in_braces(items: Sequence[object]) -> str:
    """Write one item as it is, and a group of tied items as {tea, mug}."""
    return str(items[0]) if len(items) == 1 else "{" + ", ".join(map(str, items)) + "}"


def in_order(items: Iterable[object]) -> str:
    """Write a list from its first position down: tea > mug."""
    return " > ".join(map(str, items))


def clicks(number: float) -> str:
    """Write 34, or 2.6 where clicks are weighted."""
    return f"{number:,.{0 if number == int(number) or number >= 100 else 1}f}"


def of_clicks(number: float) -> str:
    """Write a number of clicks: 1 click, 2.6 clicks."""
    return f"{clicks(number)} click{'' if number == 1 else 's'}"


def percent(share: float) -> str:
    """Write 12 %, or 0.004 % with one digit that is not 0."""
    return f"{100 * share:.0f} %" if share >= 0.01 else f"{100 * share:.1g} %"


def short(number: float) -> str:
    """Write a number between 0 and 1 with two digits that are not 0."""
    return f"{number:.2f}" if number >= 0.1 else f"{number:.2g}"


def wrapped(line: str) -> str:
    """Break a line that is too long at spaces; what follows is indented more."""
    if len(line) <= LINE:
        return line
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    broken = wrap(
        line, LINE, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(broken)
