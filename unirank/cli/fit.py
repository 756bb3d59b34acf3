"""`unirank fit`: a click log into click models."""

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from rich import progress as bars
from rich.console import Console

from unirank import arguments
from unirank.cli.arguments import Count, Share, parse_pairs
from unirank.cli.fit_report import print_comparison, print_fits, print_log, report
from unirank.datasets import FittedQuery, write_fitted
from unirank.errors import ArgumentError
from unirank.files import writable_folder
from unirank.logs.estimators import Fit, registry
from unirank.logs.fitted_log import best_items, compared, fit_log
from unirank.logs.reading import LogStatistics, read_statistics
from unirank.plots.fitted import plot_fitted
from unirank.plots.saving import save_figure, targets

LogFormat = Literal["yandex-search", "yandex-relpred", "kdd", "counts", "sessions"]
Preset = Literal["kdd", "yandex"]
N_QUERIES = 100  # without a preset: a log can have millions
HELD_OUT = 0.2  # with --compare


def fit(
    log: str,
    *,
    format: LogFormat,
    model: str = "pbm",
    preset: Preset | None = None,
    n_queries: Count | None = None,
    query: Annotated[list[str] | None, Parameter(negative="")] = None,
    n_positions: int | None = None,
    n_items: int | None = None,
    min_impressions: Count = 0,
    columns: str = "",
    first_position: int = 1,
    compare: Annotated[bool, Parameter(negative="")] = False,
    held_out: Share | None = None,
    figure: Path | None = None,
    prior: float = 0.0,
    n_starts: int = 3,
    max_iterations: Count = 5000,
    tolerance: float = 1e-9,
    seed: int = 0,
    iterations: Annotated[bool, Parameter(negative="")] = False,
    max_bad: Share = 0.001,
    backend: str = "duckdb",
    memory: str = "2GB",
    n_threads: int | None = None,
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> None:
    """Fit click models to a click log, query by query.

    `unirank run fitted.json` then plays games with these users.

    Parameters
    ----------
    log
        File (.gz and .zst too), or the name of a table with a backend that is a warehouse.
    format
        yandex-search, yandex-relpred and kdd: the public logs. counts: a table (CSV, Parquet) of
        query, item, position, impressions, clicks. sessions: of session, query, position, item,
        click.
    model
        Click models, with commas between: pbm, cm, dcm, sdbn, dbn, ccm, ubm. A log of counts can
        tell pbm only.
    preset
        The paper's choice. kdd: ads shown 1,000 times at each of 3 positions, queries with 5 of
        them. yandex: the 10 most frequent queries, their 10 most attractive items.
    n_queries
        The most frequent queries; 100 unless a preset or --query says which.
    query
        This query. May be repeated.
    n_positions
        Cut pages after so many positions.
    n_items
        Keep the most attractive items of each query, once fitted.
    min_impressions
        Keep only items that were shown so often, once fitted.
    columns
        What a table calls its columns, such as item=url,position=pos.
    first_position
        The number of the top position: 1, or 0.
    compare
        Hold sessions out, and print how well each model explains them.
    held_out
        Share of sessions held out, such as 20%.
    figure
        With --compare, draw examination and click rate by position: .png, .svg or .pdf.
    prior
        Pseudo-observations of each kind, for every probability; 0 is maximum likelihood.
    n_starts
        EM is started so often, and the best is kept.
    max_iterations
        Stop EM after so many steps.
    tolerance
        Stop EM where the log-likelihood grows by less than this share.
    seed
        Seed of the random starts.
    iterations
        Print the log-likelihood after every step.
    max_bad
        Stop if more than this share of lines cannot be read, such as 0.1%.
    backend
        duckdb, spark, or the address of a warehouse that Ibis knows.
    memory
        What DuckDB may use before it writes to disk.
    n_threads
        Threads that read; by default as many as there are cores.
    out
        Write the click models to this file (.json).
    json_
        Print JSON.
    """
    console = Console(stderr=json_)
    models = wanted(model, out)
    if figure is not None:
        targets([figure])
        if not compare:
            raise ArgumentError("figure needs --compare, which holds out what it is drawn from")
        writable_folder("figure", figure.parent)
    if out is not None:
        writable_folder("out", out.parent)
    if held_out is None:
        held_out = HELD_OUT if compare else 0.0
    with Reading(log) as bar:
        read = read_statistics(
            log,
            format=format,
            models=models,
            preset=preset,
            n_queries=N_QUERIES if n_queries is None and not (preset or query) else n_queries,
            queries=query,
            n_positions=n_positions,
            columns=parse_pairs("columns", columns),
            first_position=first_position,
            held_out=held_out,
            max_bad=max_bad,
            backend=backend,
            memory=memory,
            n_threads=n_threads,
            progress=bar.show,
        )
    print_log(console, read)
    how = {"prior": prior, "n_starts": n_starts, "seed": seed}
    how |= {"max_iterations": max_iterations, "tolerance": tolerance}
    fits = fitted(read, models, how)
    print_fits(console, fits, iterations=iterations)
    found = compared(fits, read.held_out, read.held_out_pages) if compare else []
    if found:
        print_comparison(console, found)
    kept = {
        name: [best_items(each, n_items or read.n_items, min_impressions) for each in of_queries]
        for name, of_queries in fits.items()
    }
    written = save(out, kept, read, {"log": log, "format": format, **how})
    if figure is not None:
        drawn = {one.model: one.explained for one in found}
        save_figure(
            plot_fitted(
                {name: one.examination for name, one in drawn.items()},
                {name: one.expected_click_rate for name, one in drawn.items()},
                next(iter(drawn.values())).click_rate,
            ),
            figure,
        )
        written.append(figure)
    for path in written:
        console.print(f"wrote {path}", markup=False, highlight=False, soft_wrap=True)
    if json_:
        Console().print_json(data=report(read, kept, found, written))


def wanted(text: str, out: Path | None) -> list[str]:
    """The models asked for, each once."""
    models = list(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in models:
        arguments.choice("model", name, registry.names())
    if out is not None and out.suffix != ".json":
        raise ArgumentError(f"out must end in .json, got {str(out)!r}")
    if out is not None and {"dbn", "sdbn"} <= set(models):
        raise ArgumentError("dbn and sdbn fit the same click model: choose one for a file")
    return models


class Reading:
    """A bar for the passes over a log: the share that is read, rows per second and time left."""

    def __init__(self, title: str) -> None:
        self.title = title

    def __enter__(self) -> "Reading":
        columns = (bars.TextColumn("{task.description}"), bars.BarColumn())
        speed = bars.TextColumn("{task.fields[speed]}")
        console = Console(stderr=True)
        self.bar = bars.Progress(
            *columns, speed, bars.TimeRemainingColumn(), console=console, transient=True,
            disable=not sys.stderr.isatty(),
        )  # fmt: skip
        self.bar.start()
        self.task = self.bar.add_task(f"reading {self.title}", total=1.0, speed="")
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.stop()

    def show(self, share: float | None, rows: int | None) -> None:
        """Called while the log is read; rows are estimated from the size of the file."""
        elapsed = self.bar.tasks[0].elapsed or 0.0
        speed = f"{rows / elapsed:,.0f} rows/s" if rows and elapsed else ""
        self.bar.update(self.task, completed=share or 0.0, speed=speed)


def fitted(read: LogStatistics, models: list[str], how: dict[str, Any]) -> dict[str, list[Fit]]:
    """Fit with a bar."""
    console = Console(stderr=True)
    with bars.Progress(console=console, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("fitting", total=len(models) * len(read.queries))
        return fit_log(read.queries, models, lambda _: bar.advance(task), **how)


def save(
    out: Path | None, fits: dict[str, list[Fit]], read: LogStatistics, source: dict[str, Any]
) -> list[Path]:
    """The fitted file, if one is asked for; queries that lost all their items are not in it."""
    if out is None:
        return []
    sessions = {query.query: query.n_sessions for query in read.queries}
    models = {
        registry.facts(registry[name])["click_model"]: {
            each.query: FittedQuery(
                each.items,
                {key: _plain(value) for key, value in each.parameters.items()},
                {
                    "log_likelihood": each.log_likelihood[-1],
                    "n_sessions": sessions[each.query],
                    "warnings": list(each.warnings),
                },
            )
            for each in of_queries
            if each.items
        }
        for name, of_queries in fits.items()
    }
    write_fitted(out, models, source=source)
    return [out]


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value
