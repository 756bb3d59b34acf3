"""Open a log: check the file and its format, and give the backend's table of its rows."""

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import reduce
from operator import or_
from pathlib import Path
from typing import NamedTuple

from unirank.errors import ArgumentError, UnknownNameError
from unirank.logs.reading.backends import Backend
from unirank.logs.reading.bad_kinds import BEYOND, NOT_A_CLICK, NOT_A_NUMBER, TOO_FEW
from unirank.logs.reading.expressions import FAULT, Column, Table, ibis
from unirank.logs.reading.formats import Format, hint
from unirank.logs.reading.log_file import estimated_rows, first_lines, is_parquet, log_file

SESSIONS = ("session", "query", "position", "item", "click")
COUNTS = ("query", "item", "position", "impressions", "clicks")

REMEDIES = {
    BEYOND: "; if its positions count from {first}, pass --first-position {first}",
    NOT_A_NUMBER: "; counts and positions are whole numbers, clicks 0 and 1 or true and false",
    NOT_A_CLICK: "; clicks are 0 and 1, or true and false",
}
DELIMITERS = ",\t;|"
SAMPLE = 200  # lines
MOST, LONGEST = 12, 40  # names of columns in a message, and their letters


class LogSource(NamedTuple):
    """The rows of a log as a table, and what is known before it is read."""

    table: Table
    format: Format
    first_position: int
    hint: str  # for error messages: the format that the log looks like
    n_estimated: int | None  # rows

    def remedy(self, kind: str) -> str:
        """Return the end of an error message if most bad lines are of this kind."""
        if self.format.text or kind not in REMEDIES:
            return self.hint
        other = 0 if self.first_position else 1
        return self.hint or REMEDIES[kind].format(first=other)


def open_log(
    backend: Backend,
    path: str | os.PathLike[str],
    format: Format,
    columns: Mapping[str, str] | None,
    first_position: int,
) -> LogSource:
    """Open the log: text formats as lines, tables with the columns renamed to ours."""
    if format.text and columns:
        raise ArgumentError(f"columns are for tables; the format {format.name!r} has its own")
    wanted = SESSIONS if format.holds == "sessions" else COUNTS
    if backend.is_warehouse:
        if format.text:
            raise ArgumentError(f"the format {format.name!r} is read from a file, not a warehouse")
        return LogSource(
            named(backend.table(str(path)), wanted, columns), format, first_position, "", None
        )
    file = log_file(path)
    if is_parquet(file):
        if format.text:
            raise ArgumentError(
                f"{str(file)!r} is a Parquet table and {format.name!r} is text; "
                "formats of tables: counts, sessions"
            )
        return LogSource(
            named(backend.parquet(file), wanted, columns), format, first_position, "", None
        )
    sample = first_lines(file, SAMPLE)
    other = hint(sample, format.name)
    n_estimated = estimated_rows(file, sample)
    if format.text:
        return LogSource(backend.lines(file), format, first_position, other, n_estimated)
    try:
        table = named(_csv(backend, file, sample[0]), wanted, columns)
    except ArgumentError as error:
        raise ArgumentError(f"{error}{other}") from None
    return LogSource(table, format, first_position, other, n_estimated)


def named(table: Table, wanted: Sequence[str], columns: Mapping[str, str] | None) -> Table:
    """Select the wanted columns under our names; raise if one is missing."""
    columns = dict(columns or {})
    for name in columns:
        if name not in wanted:
            raise UnknownNameError("column", name, wanted)
    there = [name for name in table.columns if name != FAULT]
    theirs = {name: columns.get(name, name) for name in wanted}
    missing = [name for name in wanted if theirs[name] not in there]
    if missing:
        raise ArgumentError(_missing(theirs, missing, there))
    fault = _fault(table, theirs.values()) if FAULT in table.columns else ibis().null("string")
    return table.select(**{name: table[column] for name, column in theirs.items()}, fault=fault)


def _fault(table: Table, wanted: Iterable[str]) -> Column:
    """What is wrong with a line; columns that nobody wants may be missing at its end."""
    lacks = reduce(or_, (table[name].isnull() for name in wanted))
    return ibis().ifelse((table[FAULT] == TOO_FEW) & ~lacks, None, table[FAULT])


def _missing(theirs: Mapping[str, str], missing: Sequence[str], there: Sequence[str]) -> str:
    named = ", ".join(
        name if len(name) <= LONGEST else f"{name[:LONGEST]}..." for name in there[:MOST]
    )
    named += ", ..." if len(there) > MOST else ""
    if len(missing) == len(theirs) and any(name.isdigit() for name in there):
        return f"the table has no header: its first line has {named}; write one, {','.join(theirs)}"
    ours, sought = missing[0], theirs[missing[0]]
    if ours != sought:  # a name that --columns gave
        return f"the table has no column {sought!r}; there are {named}; pass --columns {ours}=NAME"
    near = get_close_matches(ours, there, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {named};"
    name = near[0] if near else "NAME"
    return f"the table has no column {ours!r}; {hint} pass --columns {ours}={name}"


def _csv(backend: Backend, file: Path, header: str) -> Table:
    delimiter = max(DELIMITERS, key=header.count)
    try:
        names = next(csv.reader([header], delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise ArgumentError(f"the header of {str(file)!r} cannot be read: {error}") from None
    return backend.csv(file, _different(names), delimiter)


def _different(names: Sequence[str]) -> list[str]:
    """Replace empty and repeated column names by column_<number>."""
    found: list[str] = []
    for place, name in enumerate(names):
        plain = name.strip()
        found.append(plain if plain and plain not in found else f"column_{place}")
    return found
