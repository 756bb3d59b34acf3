"""Click logs in every format, with changed fields, lines and bytes.

Whatever stands in a log, each of its lines is a row: counted, or counted as bad. A log of Yandex
must give what a reader in plain Python (`tests/reference`) counts, bad lines included; in a log of
counts, the lines that were not changed must count. A log whose container has changed (gz, zst,
Parquet) is refused, or its clicks are not more than its impressions.
"""

import contextlib
import io
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from tests.attack.mutation import mutated, rewritten
from tests.attack.target import Outcome, Target, check_sentence, require
from tests.logs.reading.writing import (
    assert_same,
    count_table,
    expected,
    kdd_lines,
    random_sessions,
    relpred_lines,
    search_lines,
    session_rows,
    write_lines,
    write_rows,
)
from tests.reference.yandex_log import read_log
from unirank.cli.main import main
from unirank.errors import ArgumentError
from unirank.logs.reading import LogStatistics, read_statistics
from unirank.logs.reading.bad_kinds import NOT_TEXT

SESSIONS = random_sessions(60, seed=1)
MODELS = {"counts": ["pbm"], "kdd": ["pbm"]}  # other formats hold sessions
ALL_MODELS = ["pbm", "cm", "dcm", "dbn", "ubm"]
LARGEST_PAGE = 63


@cache
def log(format: str) -> str:
    """A good log as text."""
    if format in ("counts", "sessions"):
        rows = session_rows(SESSIONS) if format == "sessions" else count_table(SESSIONS)
        lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    else:
        write = {"kdd": kdd_lines, "yandex-relpred": relpred_lines, "yandex-search": search_lines}
        lines = write[format](SESSIONS)
    return "".join(f"{line}\n" for line in lines)


def statistics(path: Path, format: str) -> LogStatistics:
    models = MODELS.get(format, ALL_MODELS)
    return read_statistics(path, format=format, models=models, max_bad=1.0, n_threads=1)


def physical_lines(content: bytes) -> list[bytes]:
    """Lines that are not empty; a carriage return ends a line, too."""
    return [line for line in re.split(rb"[\r\n]", content.removeprefix(b"\xef\xbb\xbf")) if line]


def is_text(line: bytes) -> bool:
    try:
        return "\0" not in line.decode()
    except UnicodeDecodeError:
        return False


def yandex(format: str, draw: Random, folder: Path) -> Outcome:
    content = rewritten(log(format), "\t\t,", draw)
    (folder / "log.tsv").write_bytes(content)
    lines = physical_lines(content)
    twin = read_log([line.decode() for line in lines if is_text(line)], format)
    bad = Counter(twin.bad_of(None))
    bad[NOT_TEXT] += sum(not is_text(line) for line in lines)
    pages = [page.shown for page in twin.pages if page.defect is None]
    try:
        found = statistics(folder / "log.tsv", format)
    except ArgumentError:
        require(not pages or widest(twin) > LARGEST_PAGE, "a log with good pages was refused")
        raise
    require(found.n_rows == len(lines), f"{found.n_rows} rows of {len(lines)} lines")
    require(dict(found.bad.counts) == dict(+bad), f"bad are {found.bad.counts}, not {+bad}")
    width = found.queries[0].n_positions
    queries = [query for query in twin.queries() if any(page.query == query for page in pages)]
    assert_same(
        [each for each in found.queries if each.n_sessions], expected(pages, queries, width)
    )
    return Outcome.ACCEPTED


def widest(twin: object) -> int:
    return max((len(page.shown.items) for page in twin.pages), default=0)  # type: ignore[attr-defined]


def relpred(draw: Random, folder: Path) -> Outcome:
    return yandex("yandex-relpred", draw, folder)


def search(draw: Random, folder: Path) -> Outcome:
    return yandex("yandex-search", draw, folder)


def table(format: str, draw: Random, folder: Path) -> Outcome:
    good = log(format)
    content = rewritten(good, "\t" if format == "kdd" else ",", draw)
    (folder / "log.txt").write_bytes(content)
    n_headers = 0 if format == "kdd" else 1
    good_lines, lines = physical_lines(good.encode()), physical_lines(content)
    header, good_rows = good_lines[:n_headers], good_lines[n_headers:]
    same_header = lines[:n_headers] == header
    try:
        found = statistics(folder / "log.txt", format)
    except ArgumentError:
        kept = set(lines[n_headers:]) & set(good_rows)
        require(not same_header or not kept, "a log with good lines was refused")
        raise
    if not same_header:
        return Outcome.ACCEPTED
    rows = lines[n_headers:]
    require(found.n_rows == len(rows), f"{found.n_rows} rows of {len(rows)} lines")
    require(sum(found.bad.counts.values()) <= found.n_rows, "more bad rows than rows")
    if format != "sessions":
        check_counts(found, rows, good_rows, format)
    return Outcome.ACCEPTED


def check_counts(
    found: LogStatistics, rows: Sequence[bytes], good: Sequence[bytes], format: str
) -> None:
    """Raise unless the unchanged lines count: the others may add, and take nothing away."""
    separator, place = (b"\t", 1) if format == "kdd" else (b",", 3)
    known = set(good)
    least = sum(int(line.split(separator)[place]) for line in rows if line in known)
    counted = sum(int(each.shown.impressions.sum()) for each in found.queries if each.shown)
    if found.n_rows - sum(found.bad.counts.values()) == sum(line in known for line in rows):
        require(counted == least, f"{counted} impressions, not {least}")
    require(counted >= least, f"{counted} impressions, at least {least} were logged")


def counts(draw: Random, folder: Path) -> Outcome:
    return table("counts", draw, folder)


def sessions(draw: Random, folder: Path) -> Outcome:
    return table("sessions", draw, folder)


def kdd(draw: Random, folder: Path) -> Outcome:
    return table("kdd", draw, folder)


CONTAINERS = (
    ("counts", "log.csv.gz"),
    ("counts", "log.csv.zst"),
    ("counts", "log.parquet"),
    ("sessions", "log.parquet"),
    ("yandex-relpred", "log.tsv.gz"),
    ("yandex-search", "log.tsv.zst"),
)


def container(draw: Random, folder: Path) -> Outcome:
    format, name = draw.choice(CONTAINERS)
    path = folder / name
    if path.suffix == ".parquet":
        rows = session_rows(SESSIONS) if format == "sessions" else count_table(SESSIONS)
        write_rows(path, rows)
    else:
        write_lines(path, log(format).splitlines())
    path.write_bytes(mutated(path.read_bytes(), draw))
    found = statistics(path, format)
    for each in found.queries:
        shown = each.shown
        require(
            shown is None or (shown.clicks <= shown.impressions).all(), "more clicks than views"
        )
        require(shown is None or np.all(shown.clicks >= 0), "clicks below 0")
    return Outcome.ACCEPTED


def command(draw: Random, folder: Path) -> Outcome:
    """`unirank fit` of a changed log: status 0, or status 2 and one line on standard error."""
    format = draw.choice(("counts", "sessions", "kdd", "yandex-relpred", "yandex-search"))
    separator = "," if format in ("counts", "sessions") else "\t"
    (folder / "log.txt").write_bytes(rewritten(log(format), separator, draw))
    words = ["fit", str(folder / "log.txt"), "--format", format, "--n-threads", "1"]
    words += ["--max-bad", draw.choice(("0", "10%", "100%")), "--out", str(folder / "out.json")]
    status, told = ended(words)
    require(status in (0, 2), f"status {status}: {told}")
    if status == 0:
        return Outcome.ACCEPTED
    check_sentence(told)
    require(not (folder / "out.json").exists(), "a refused log has left a fitted file")
    return Outcome.REFUSED


def ended(words: Sequence[str]) -> tuple[int, str]:
    """Run a command line here; return its status and what it wrote to standard error."""
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
        try:
            main(words)
        except SystemExit as stop:
            return int(stop.code or 0), errors.getvalue()
    return 0, errors.getvalue()


TARGETS = [
    Target("log-relpred", 800, 4, relpred),
    Target("log-search", 800, 4, search),
    Target("log-kdd", 800, 4, kdd),
    Target("log-counts", 800, 4, counts),
    Target("log-sessions", 800, 4, sessions),
    Target("log-container", 800, 8, container),
    Target("log-fit", 400, 3, command),
]
