"""The report of `unirank fit`: the log, the fits and the comparison of models."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from unirank.logs.estimators import Fit, registry
from unirank.logs.fitted_log import ONE_PLACE, ModelComparison
from unirank.logs.reading import LogStatistics
from unirank.logs.reading.bad_kinds import unit

MOST_WARNINGS = 10  # --json and the file have them all


def print_log(console: Console, read: LogStatistics) -> None:
    """Print the number of rows and queries, and the bad lines by kind."""
    sessions = sum(query.n_sessions for query in read.queries)
    held = sum(query.n_sessions for query in read.held_out)
    speed = read.n_rows / max(read.seconds, 1e-9)
    parts = [
        f"read {read.n_rows:,} rows in {read.seconds:.1f} s ({speed:,.0f} rows/s)",
        f"{len(read.queries):,} {'query' if len(read.queries) == 1 else 'queries'}",
        *([f"{sessions:,} sessions"] if sessions else []),
        *([f"{held:,} sessions held out"] if held else []),
        *([f"{read.n_test_pages:,} test pages left out"] if read.n_test_pages else []),
    ]
    say(console, ", ".join(parts))
    for kind, count in read.bad.counts.items():
        say(console, f"left out {count:,} {unit(kind)}{'' if count == 1 else 's'}: {kind}")
        for example in read.bad.examples.get(kind, ()):
            say(console, f"    {example}")


def print_fits(console: Console, fits: dict[str, list[Fit]], *, iterations: bool) -> None:
    """Print a table with a row per model, then the warnings."""
    table = Table(box=SIMPLE_HEAD, collapse_padding=True)
    for column in ("model", "queries", "log-likelihood", "steps", "not settled", "warnings"):
        table.add_column(column, justify="left" if column == "model" else "right", no_wrap=True)
    for name, found in fits.items():
        steps = max(len(each.log_likelihood) - 1 for each in found)
        table.add_row(
            name,
            f"{len(found):,}",
            f"{sum(each.log_likelihood[-1] for each in found):,.1f}",
            f"up to {steps:,}",
            f"{sum(not each.settled for each in found):,}",
            f"{sum(len(each.warnings) for each in found):,}",
        )
    console.print(table)
    say(
        console,
        "log-likelihood: how well a model explains the clicks that it was fitted to, closer to 0 "
        "is better; only numbers of the same log can be compared",
    )
    for name in filter(counts_to_first_click, fits):
        say(
            console,
            f"{name} counts each session down to its first click, where its users leave: its "
            "log-likelihood cannot be compared with another model's, its perplexity (--compare) "
            "can",
        )
    if any(not each.settled for found in fits.values() for each in found):
        say(console, "not settled: still improving after the last step; try --max-iterations 1e5")
    every = [each for found in fits.values() for each in found]
    if iterations:
        for each in every:
            for step, value in enumerate(each.log_likelihood):
                say(console, f"{each.estimator} {each.query} step {step}: {value:.6f}")
    lines = [f"{each.estimator} {each.query}: {text}" for each in every for text in each.warnings]
    lines.sort(key=lambda line: not line.endswith(ONE_PLACE))
    for line in lines[:MOST_WARNINGS]:
        say(console, f"careful: {line}")
    if len(lines) > MOST_WARNINGS:
        n_more = len(lines) - MOST_WARNINGS
        words = f"{n_more:,} more warning{'' if n_more == 1 else 's'}"
        say(console, f"careful: {words} (--json has all)")


def print_comparison(console: Console, found: Sequence[ModelComparison]) -> None:
    """Print how well the models predict held-out sessions, the best one first."""
    table = Table(box=SIMPLE_HEAD, collapse_padding=True)
    table.add_column("model")
    for column in ("perplexity", "at the top", "at the end", "log-likelihood / session"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in found:
        by_position = one.prediction.perplexity_by_position
        numbers = (one.prediction.perplexity, by_position[0], by_position[-1])
        note = " (to the first click)" if counts_to_first_click(one.model) else ""
        cells = [f"{number:.4f}" for number in numbers]
        table.add_row(one.model, *cells, f"{one.log_likelihood:.4f}{note}")
    say(
        console, "on held-out sessions, the best first (perplexity 1 is perfect, 2 is a fair coin):"
    )
    console.print(table)
    if any(one.log_likelihood == float("-inf") for one in found):
        say(console, "-inf: a click that the model holds impossible; --prior 1 avoids this")


def counts_to_first_click(model: str) -> bool:
    """Whether the likelihood of a model is that of sessions down to their first click."""
    return registry.facts(registry[model])["table"] == "first_click"


def report(
    read: LogStatistics,
    fits: dict[str, list[Fit]],
    found: Sequence[ModelComparison],
    written: Sequence[Path],
) -> dict[str, Any]:
    """Return the same report as plain data."""
    return {
        "rows": read.n_rows,
        "seconds": read.seconds,
        "left_out": dict(read.bad.counts),
        "examples": {kind: list(lines) for kind, lines in read.bad.examples.items()},
        "fits": [
            {
                "model": each.estimator,
                "query": each.query,
                "items": len(each.items),
                "log_likelihood": list(each.log_likelihood),
                "settled": each.settled,
                "warnings": list(each.warnings),
            }
            for of_queries in fits.values()
            for each in of_queries
        ],
        "comparison": [
            {
                "model": one.model,
                "perplexity": one.prediction.perplexity,
                "perplexity_by_position": one.prediction.perplexity_by_position.tolist(),
                "log_likelihood_per_session": one.log_likelihood,
                "examination": one.prediction.examination.tolist(),
                "click_rate": one.prediction.click_rate.tolist(),
                "expected_click_rate": one.prediction.expected_click_rate.tolist(),
            }
            for one in found
        ],
        "wrote": [str(path) for path in written],
    }


def say(console: Console, line: str) -> None:
    console.print(line, markup=False, highlight=False, soft_wrap=True)
