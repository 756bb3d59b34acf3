"""Lines that cannot be read: counted by kind, with examples; too many raise an error."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from unirank.errors import ArgumentError
from unirank.logs.reading.backends import Backend
from unirank.logs.reading.bad_kinds import unit
from unirank.logs.reading.expressions import Table, total

N_EXAMPLES = 3
LONGEST = 120


class BadLines(NamedTuple):
    """The number of skipped lines of each kind, and a few examples.

    A session whose page is defective (`bad_kinds.unit`) is skipped as a whole and counts once.
    """

    counts: Mapping[str, int]
    examples: Mapping[str, tuple[str, ...]]
    n_rows: int  # all rows of the log

    @property
    def n_bad(self) -> int:
        return sum(self.counts.values())

    @property
    def share(self) -> float:
        return self.n_bad / max(self.n_rows, 1)


def shortened(line: str) -> str:
    """Shorten an example for a message."""
    shown = line.replace("\t", " ")
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 3]}..."


def require_few(
    bad: BadLines, max_bad: float, *, remedy: Callable[[str], str] = lambda _: ""
) -> None:
    """Raise if more than the share `max_bad` of the lines cannot be read.

    `remedy` gives the end of the message for the most frequent kind.
    """
    if bad.n_bad == 0 or bad.share <= max_bad:
        return
    kind = max(bad.counts, key=lambda name: bad.counts[name])
    example = next(iter(bad.examples.get(kind, ())), "")
    whole = any(unit(name) == "session" for name in bad.counts)
    once = " (a session left out as a whole counts once)" if whole else ""
    raise ArgumentError(
        f"{bad.share:.2%} of {bad.n_rows:,} lines are bad{once}, "
        f"the limit max_bad is {max_bad:.2%}; most are {kind!r}, as {example!r}{remedy(kind)}"
    )


def bad_rows(backend: Backend, overview: Table, rows: Table) -> BadLines:
    """Count bad lines in an overview with columns bad and rows; take examples from `rows`."""
    counted = backend.fetch(overview.group_by("bad").agg(rows=total(overview.rows))).to_pylist()
    rejected = backend.rejected()
    counts = {row["bad"]: row["rows"] for row in counted if row["bad"] is not None}
    examples = {
        kind: tuple(_examples(backend, rows.filter(rows.bad == kind))) for kind in sorted(counts)
    }
    for kind, line in rejected:
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] <= N_EXAMPLES:
            examples[kind] = (*examples.get(kind, ()), shortened(line))
    return BadLines(counts, examples, sum(row["rows"] for row in counted) + len(rejected))


def with_defects(
    backend: Backend, bad: BadLines, counts: dict[str, int], where: dict[str, Table]
) -> BadLines:
    """Add the defects of whole pages; `where` holds the rows of each kind."""
    there = {kind: n for kind, n in counts.items() if n}
    examples = {kind: tuple(_examples(backend, where[kind])) for kind in there}
    return BadLines({**bad.counts, **there}, {**bad.examples, **examples}, bad.n_rows)


def _examples(backend: Backend, rows: Table) -> list[str]:
    return [shortened(_line(row)) for row in backend.fetch(rows.limit(N_EXAMPLES)).to_pylist()]


def _line(row: dict[str, Any]) -> str:
    if "line" in row:
        return row["line"] or ""
    return ", ".join(f"{name} {value}" for name, value in row.items() if name != "bad")
