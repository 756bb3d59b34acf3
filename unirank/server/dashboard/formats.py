"""Numbers and times as people read them; the templates' filters."""

from datetime import UTC, datetime
from math import ceil, floor, log10

from unirank.policies.base.explanation import lacking
from unirank.policies.base.words import clicks, joined, of_clicks

MINUS = "\N{MINUS SIGN}"  # as wide as a plus
DASH = "\N{EN DASH}"


def count(number: float) -> str:
    """Write 12,340."""
    return f"{number:,.0f}"


def many(number: float, word: str) -> str:
    """Write a number and its noun: 1 view, 12,340 views."""
    return f"{count(number)} {word}{'' if number == 1 else 's'}"


def rate(number: float | None) -> str:
    """Clicks per view: 0.412."""
    return DASH if number is None else f"{number:.3f}"


def signed(number: float | None) -> str:
    """Write a difference of clicks per view: +0.041."""
    if number is None:
        return DASH
    text = f"{number:+.3f}"
    return "0.000" if float(text) == 0.0 else text.replace("-", MINUS)


def share(number: float) -> str:
    """Write a share with its sign: +0.41."""
    text = f"{number:+.2f}"
    return "0.00" if float(text) == 0.0 else text.replace("-", MINUS)


def percent(part: float | None) -> str:
    """Write 4 %, 0.4 %, and less than 0.1 %."""
    if part is None:
        return DASH
    if 0.0 < part < 0.001:
        return "< 0.1 %"
    return f"{100 * part:.{1 if 0.0 < part < 0.0995 else 0}f} %"


def when(at: float) -> str:
    """Write a time for machines; the script makes it local."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def place(value: float, low: float, high: float) -> str:
    """Where a value is between two ends, for an SVG: 12.5%."""
    part = (value - low) / (high - low)
    return f"{100 * min(max(part, 0.0), 1.0):.2f}%"


def ticks(low: float, high: float, about: int = 4) -> list[float]:
    """Round numbers between two ends, about as many as wanted."""
    size = (high - low) / about
    power = 10.0 ** floor(log10(size))
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= 0.7 * size)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [round(n * step, 10) for n in range(first, last + 1)]


FILTERS = (count, many, clicks, of_clicks, rate, signed, share, percent, when, joined, lacking)
