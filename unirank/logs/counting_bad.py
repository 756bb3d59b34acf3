"""Bad rows of a log as the engine counts them, with examples."""

from typing import Any

from unirank.logs.bad_lines import N_EXAMPLES, BadLines, shortened
from unirank.logs.engines import Engine
from unirank.logs.relations import Table, total


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
