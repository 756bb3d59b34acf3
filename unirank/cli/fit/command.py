"""`unirank fit`: estimate click models from a click log."""

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console

from unirank import arguments
from unirank.cli.arguments import LogFormat
from unirank.cli.fit.options import FitOptions, ReadingOptions, SelectionOptions
from unirank.cli.fit.report import print_comparison, print_fits, print_log, report
from unirank.errors import ArgumentError
from unirank.files import writable_folder
from unirank.lab.datasets import FittedQuery, write_fitted
from unirank.lab.plots.fitted import plot_fitted
from unirank.lab.plots.saving import save_figure, targets
from unirank.logs.estimators import Fit, fit_settings, registry
from unirank.logs.fitted_log import (
    ModelComparison,
    best_items,
    check_kept,
    compared,
    fit_log,
    require_identified,
    with_place_warnings,
)
from unirank.logs.reading import LogStatistics, read_statistics
from unirank.progress import ProgressBar


def fit(
    log: str,
    *,
    format: LogFormat,
    model: str = "pbm",
    selected: SelectionOptions = SelectionOptions(),  # noqa: B008  frozen
    read: ReadingOptions = ReadingOptions(),  # noqa: B008
    estimated: FitOptions = FitOptions(),  # noqa: B008
    compare: Annotated[bool, Parameter(negative="")] = False,
    figure: Path | None = None,
    iterations: Annotated[bool, Parameter(negative="")] = False,
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> None:
    """Fit click models, which are simulated users, to a click log.

    `unirank run fitted.json` then plays games with these users.

    Parameters
    ----------
    log
        File (also .gz and .zst), or the name of a table if the backend is a warehouse.
    format
        yandex-search, yandex-relpred and kdd: the public logs. counts: a table (CSV, Parquet) of
        query, item, position, impressions, clicks. sessions: of session, query, position, item,
        click.
    model
        Click models, with commas between: pbm, cm, dcm, sdbn, dbn, ccm, ubm. A log of counts is
        enough for pbm only.
    compare
        Hold sessions out and print how well each model predicts their clicks.
    figure
        With --compare, draw examination and click rate by position: .png, .svg or .pdf.
    iterations
        Print the log-likelihood after every step.
    out
        Write the click models to this file (.json).
    json_
        Print JSON.
    """
    console = Console(stderr=json_)
    models = checked_models(model, out)
    for name in models:
        fit_settings(name, **vars(estimated))
    check_figure(figure, compare)
    check_kept(selected.n_items, selected.min_impressions)
    selection = selected.settings(compare)
    if compare and not selection["held_out"]:
        raise ArgumentError(f"held_out must be above 0 with --compare, got {selected.held_out:g}")
    for name, path in (("out", out), ("figure", figure)):
        if path is not None:
            writable_folder(name, path.parent)
    found = read_log(
        log,
        format=format,
        models=list(dict.fromkeys((*models, "pbm"))),  # pbm always: its table has items by position
        **selection,
        **read.settings(),
    )
    print_log(console, found)
    fits = fitted(found, models, vars(estimated))
    print_fits(console, fits, iterations=iterations)
    comparison = compared(fits, found.held_out, found.held_out_pages) if compare else []
    if comparison:
        print_comparison(console, comparison)
    n_items = selected.n_items or found.n_items
    if (out or n_items) and not selected.keep_unidentified:
        require_identified(each for of_queries in fits.values() for each in of_queries)
    best = {
        name: [best_items(each, n_items, selected.min_impressions) for each in of_queries]
        for name, of_queries in fits.items()
    }
    written = save(out, best, found, {"log": log, "format": format, **vars(estimated)})
    written += draw(figure, comparison)
    for path in written:
        console.print(f"wrote {path}", markup=False, highlight=False, soft_wrap=True)
    if json_:
        Console().print_json(data=report(found, best, comparison, written))


def read_log(log: str, **settings: Any) -> LogStatistics:
    """Read the statistics of a log with a progress bar."""
    with ProgressBar(f"reading {log}", None, unit="rows", transient=True) as bar:

        def show(share: float | None, rows: int | None) -> None:
            bar.show(rows or 0, total=rows / share if rows and share else None)

        return read_statistics(log, **settings, progress=show)


def check_figure(figure: Path | None, compare: bool) -> None:
    if figure is not None:
        targets([figure])
        if not compare:
            raise ArgumentError("figure needs --compare: it shows the held-out sessions")


def draw(figure: Path | None, comparison: Sequence[ModelComparison]) -> list[Path]:
    """Draw the figure, if there is one to draw; return the files written."""
    if figure is None:
        return []
    drawn = {one.model: one.prediction for one in comparison}
    examination = {name: one.examination for name, one in drawn.items()}
    click_rate = {name: one.expected_click_rate for name, one in drawn.items()}
    observed = comparison[0].prediction.click_rate
    save_figure(plot_fitted(examination, click_rate, observed), figure)
    return [figure]


def checked_models(text: str, out: Path | None) -> list[str]:
    """Return the models, each once; raise if they cannot go into one file."""
    models = list(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in models:
        arguments.choice("model", name, registry.names())
    if out is not None and out.suffix != ".json":
        raise ArgumentError(f"out must end in .json, got {str(out)!r}")
    if out is not None and {"dbn", "sdbn"} <= set(models):
        raise ArgumentError("dbn and sdbn fit the same click model: choose one for a file")
    return models


def fitted(read: LogStatistics, models: list[str], how: dict[str, Any]) -> dict[str, list[Fit]]:
    """Fit with a progress bar."""
    done = count(1)
    with ProgressBar(
        "fitting", len(models) * len(read.queries), unit="fits", transient=True
    ) as bar:
        fits = fit_log(read.queries, models, lambda _: bar.show(next(done)), **how)
    return with_place_warnings(fits, read.queries)


def save(
    out: Path | None, fits: dict[str, list[Fit]], read: LogStatistics, source: dict[str, Any]
) -> list[Path]:
    """Write the fitted file, if there is one to write, without queries that kept no item."""
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
