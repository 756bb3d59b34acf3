"""Item names and numbers as they are written into figures."""

from collections.abc import Iterable
from itertools import groupby, takewhile
from operator import eq

MINUS = "\N{MINUS SIGN}"  # as long as a plus


def short_name(item: int | str, letters: int) -> str:
    """Return a name of at most `letters` letters; a dollar stays a dollar, not mathematics."""
    name = str(item)
    name = name if len(name) <= letters else f"{name[: letters - 1]}…"
    return name.replace("$", r"\$")


def short_names(items: Iterable[int | str], letters: int) -> dict[int | str, str]:
    """Return the short name of each item; names that would look the same are cut elsewhere."""
    written = {item: str(item) for item in items}
    names = _told_apart(sorted(set(written.values())), letters, 0)
    return {item: names[name].replace("$", r"\$") for item, name in written.items()}


def _told_apart(names: list[str], letters: int, start: int) -> dict[str, str]:
    """Return the names cut to `letters` letters from `start` on; later where they are the same."""
    found: dict[str, str] = {}
    for cut, group in groupby(names, lambda name: _part(name, letters, start)):
        alike = list(group)
        same = map(eq, alike[0], alike[-1])  # the first and the last in order differ first
        differ_at = len(list(takewhile(bool, same)))
        if len(alike) == 1 or differ_at <= start:
            found.update(dict.fromkeys(alike, cut))
        else:
            found.update(_told_apart(alike, letters, differ_at))
    return found


def _part(name: str, letters: int, start: int) -> str:
    """Return the part of a name from `start` on; more before it if the end has room."""
    if len(name) <= letters:
        return name
    start = min(start, len(name) - letters + 1)
    if start == 0:
        return f"{name[: letters - 1]}…"
    end = start + letters - 1
    return f"…{name[start:]}" if end >= len(name) else f"…{name[start : end - 1]}…"


def listed(names: Iterable[str], letters: int) -> str:
    """Return the names that `letters` letters hold, and the number of those left out."""
    names = list(names)
    n_shown = 1
    while n_shown < len(names) and len("   ".join(names[: n_shown + 1])) <= letters:
        n_shown += 1
    more = f"   +{len(names) - n_shown:,} more" if n_shown < len(names) else ""
    return "   ".join(names[:n_shown]) + more


def signed(number: float) -> str:
    """Return two decimals with a sign, and none before a zero."""
    words = f"{number:+.2f}"
    return "0.00" if float(words) == 0.0 else words.replace("-", MINUS)


def short_count(number: int) -> str:
    """Return a count in at most four letters, up to a billion: 1.4k."""
    for unit, size in (("", 1), ("k", 1_000), ("M", 1_000_000)):
        if number < 999.5 * size:
            digits = 1 if size > 1 and number < 9.95 * size else 0
            return f"{number / size:.{digits}f}{unit}"
    return f"{number / 1e9:.0f}G"


def counted(number: int, noun: str) -> str:
    """Return 1 round, 2 rounds."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
