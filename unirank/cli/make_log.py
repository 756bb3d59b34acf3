"""`unirank data make-log`: a click log of users whose click models are known."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich import progress as bars
from rich.console import Console
from rich.text import Text

from unirank.cli.arguments import Count, LogFormat
from unirank.datasets import FittedQuery, load_items, load_problems, write_fitted
from unirank.datasets.problems import is_fitted_file
from unirank.errors import ArgumentError
from unirank.files import writable_folder
from unirank.logs.synthetic.drawing import SyntheticLog
from unirank.logs.synthetic.writing import Written, check_output, write_log


def make_log(
    source: str,
    *,
    out: Path,
    format: LogFormat,
    n_sessions: Count = 100_000,
    n_positions: int = 10,
    n_pages: int = 20,
    n_queries: Count | None = None,
    n_items: int | None = None,
    click_model: str | None = None,
    zipf: float = 0.0,
    seed: int = 0,
    bad: float = 0.0,
    truth: Path | None = None,
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> None:
    """Draw a click log from click models by query, in the format of a public log.

    The same seed gives the same sessions in every format.

    Parameters
    ----------
    source
        A data set (see `unirank data list`) or a fitted file (.json).
    out
        File to write. Names in .gz and .zst are compressed; sessions and counts are CSV or
        Parquet, as the name says.
    format
        Columns and order of the file; position is counted from 1.
    n_sessions
        Pages shown, each to one user.
    n_positions
        Items of a page, if its query has as many.
    n_pages
        Different pages of each query.
    n_queries
        Take the first queries only.
    n_items
        Take the most attractive items of each query only.
    click_model
        Which of the click models of a fitted file.
    zipf
        Query number r is drawn with weight 1 / r^zipf; 0 draws all alike.
    seed
        Seed of all random numbers.
    bad
        Share of malformed lines put between the others, such as 0.001.
    truth
        Also write the click models, as a fitted file (.json).
    json_
        Print JSON.
    """
    check_output(out, format, bad)
    if truth is not None and not is_fitted_file(truth):
        raise ArgumentError(f"truth must end in .json, got {str(truth)!r}")
    chosen = {"click_model": click_model, "n_queries": n_queries, "n_items": n_items}
    shape = {"n_positions": n_positions, "n_pages": n_pages, "zipf": zipf, "seed": seed}
    log = log_of(source, chosen, shape)
    for name, file in (("out", out), ("truth", truth)):
        if file is not None:
            writable_folder(name, file.parent)
    written = watched(log, out, format=format, n_sessions=n_sessions, bad=bad)
    if truth is not None:
        write_truth(truth, log, written._asdict() | shape | {"drawn from": source})
    told(written, truth, as_json=json_)


def log_of(source: str, chosen: Mapping[str, Any], shape: Mapping[str, Any]) -> SyntheticLog:
    """Users of some queries of a data set, whose items are numbered, or of a fitted file."""
    items = load_items(source, **chosen) if is_fitted_file(source) else None
    return SyntheticLog(load_problems(source, **chosen), items, **shape)


class SessionSpeed(bars.ProgressColumn):
    """Sessions per second."""

    def render(self, task: bars.Task) -> Text:
        return Text(f"{task.finished_speed or task.speed or 0:.2g} sessions/s")


def watched(log: SyntheticLog, out: Path, *, n_sessions: int, **settings: Any) -> Written:
    """Write the log, with a bar on standard error where someone is watching."""
    with bars.Progress(
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.TaskProgressColumn(),
        SessionSpeed(),
        bars.TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
    ) as bar:
        task = bar.add_task(out.name, total=n_sessions)

        def watch(done: int) -> None:
            bar.update(task, completed=done)

        return write_log(log, out, n_sessions=n_sessions, **settings, watch=watch)


def write_truth(path: Path, log: SyntheticLog, facts: dict[str, Any]) -> None:
    """The click models that the log was drawn from, with the ids that their items have in it."""
    name = next(iter(log.users.values())).name
    queries = {query: FittedQuery.of(each, log.items[query]) for query, each in log.users.items()}
    write_fitted(path, {name: queries}, source=facts)


def told(written: Written, truth: Path | None, *, as_json: bool) -> None:
    console = Console()
    if as_json:
        where = {} if truth is None else {"truth": str(truth)}
        console.print_json(json.dumps(written._asdict() | where))
        return
    lines = [
        f"{written.format}: {written.sessions:,} sessions, {written.clicks:,} clicks, "
        f"{written.rows:,} rows, {written.malformed:,} malformed lines",
        f"wrote {written.path} ({written.bytes:,} bytes)",
        *([] if truth is None else [f"wrote {truth}"]),
    ]
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
