"""Item names and numbers as they are written into figures."""

from collections.abc import Iterable

MINUS = "\N{MINUS SIGN}"  # as long as a plus


def short_name(item: int | str, letters: int) -> str:
    """Return a name of at most `letters` letters; a dollar stays a dollar, not mathematics."""
    name = str(item)
    name = name if len(name) <= letters else f"{name[: letters - 1]}…"
    return name.replace("$", r"\$")


def listed(items: Iterable[int | str], letters: int) -> str:
    """Return the names that `letters` letters hold, and the number of those left out."""
    names = [short_name(item, 14) for item in items]
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
