"""Lines that cannot be read: counted by kind, the first of each kept, too many are an error."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from unirank.errors import ArgumentError
from unirank.logs.reading.relations import Engine, Table, total

EMPTY = "empty line"
UNKNOWN = "unknown record type"
TOO_FEW = "too few fields"
TOO_MANY = "too many fields"
MISSING = "empty field"
NOT_A_NUMBER = "not a number"
NEGATIVE = "negative count"
NOT_A_CLICK = "click neither 0 nor 1"
EXCESS = "clicks exceed impressions"
BEYOND = "position beyond the page"
TWICE = "position filled twice"
GAP = "gap in the page"
AGAIN = "page logged twice"
ORPHAN = "click without a query"

N_EXAMPLES = 3
LONGEST = 120


class BadLines(NamedTuple):
    """How many lines of each kind were left out, and the first few of each.

    A page that is wrong as a whole (a gap, a position filled twice) is left out as a whole and
    counts once.
    """

    counts: Mapping[str, int]
    examples: Mapping[str, tuple[str, ...]]
    n_rows: int  # of the log, good and bad

    @property
    def n_bad(self) -> int:
        return sum(self.counts.values())

    @property
    def share(self) -> float:
        return self.n_bad / max(self.n_rows, 1)


def shortened(line: str) -> str:
    """An example for a message: one line, not too long."""
    shown = line.replace("\t", " ")
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 3]}..."


def require_few(bad: BadLines, max_bad: float, *, hint: str = "") -> None:
    """Stop where more than the share `max_bad` of the lines cannot be read."""
    if bad.n_bad == 0 or bad.share <= max_bad:
        return
    kind = max(bad.counts, key=lambda name: bad.counts[name])
    example = next(iter(bad.examples.get(kind, ())), "")
    raise ArgumentError(
        f"{bad.share:.2%} of {bad.n_rows:,} lines are bad, the limit max_bad is {max_bad:.2%}; "
        f"most are {kind!r}, as {example!r}{hint}"
    )


def bad_rows(engine: Engine, overview: Table, rows: Table) -> BadLines:
    """Counts from an overview with columns bad and rows; examples from the rows themselves."""
    counted = engine.fetch(overview.group_by("bad").agg(rows=total(overview.rows))).to_pylist()
    counts = {row["bad"]: row["rows"] for row in counted if row["bad"] is not None}
    examples = {
        kind: tuple(_examples(engine, rows.filter(rows.bad == kind))) for kind in sorted(counts)
    }
    return BadLines(counts, examples, sum(row["rows"] for row in counted))


def with_defects(
    engine: Engine, bad: BadLines, counts: dict[str, int], where: dict[str, Table]
) -> BadLines:
    """The same with what shows only when rows are put together; `where` has the examples."""
    there = {kind: n for kind, n in counts.items() if n}
    examples = {kind: tuple(_examples(engine, where[kind])) for kind in there}
    return BadLines({**bad.counts, **there}, {**bad.examples, **examples}, bad.n_rows)


def _examples(engine: Engine, rows: Table) -> list[str]:
    return [shortened(_line(row)) for row in engine.fetch(rows.limit(N_EXAMPLES)).to_pylist()]


def _line(row: dict[str, Any]) -> str:
    if "line" in row:
        return row["line"] or ""
    return ", ".join(f"{name} {value}" for name, value in row.items() if name != "bad")
