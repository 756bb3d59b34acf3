"""The formats of logs, and how to recognise them from their first lines."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from unirank import arguments


@dataclass(frozen=True)
class Format:
    """A format of a log."""

    name: str
    summary: str
    holds: str  # "sessions" or "counts"
    text: bool  # lines of fields, not a table with a header


_ALL = (
    Format("yandex-search", "Yandex personalised web search challenge", "sessions", True),
    Format("yandex-relpred", "Yandex relevance prediction challenge", "sessions", True),
    Format("kdd", "KDD Cup 2012 track 2, training.txt", "counts", True),
    Format("counts", "table of query, item, position, impressions, clicks", "counts", False),
    Format("sessions", "table of session, query, position, item, click", "sessions", False),
)
FORMATS = {known.name: known for known in _ALL}


def log_format(name: str) -> Format:
    """Return the format of that name; an unknown name raises, with the nearest name."""
    return FORMATS[arguments.choice("format", name, list(FORMATS))]


def guessed(lines: Sequence[str]) -> str | None:
    """Return the format that most lines look like, or None."""
    votes = Counter(name for line in lines if (name := _guess(line)) is not None)
    return votes.most_common(1)[0][0] if votes else None


def _guess(line: str) -> str | None:
    fields = line.split("\t")
    if len(fields) == 12 and all(field.isdigit() for field in (*fields[:2], *fields[3:])):
        return "kdd"
    if len(fields) == 4 and fields[1] == "M":
        return "yandex-search"
    if len(fields) > 6 and fields[2] in ("Q", "T"):
        return "yandex-search" if "," in fields[-1] else "yandex-relpred"
    words = set(line.replace(";", ",").replace("\t", ",").split(","))
    if {"session", "click"} <= words:
        return "sessions"
    return "counts" if {"impressions", "clicks"} <= words else None


def hint(lines: Sequence[str], named: str) -> str:
    """Return the end of an error message if the log looks like another format."""
    found = guessed(lines)
    return f"; this looks like {found}: pass --format {found}" if found not in (None, named) else ""
