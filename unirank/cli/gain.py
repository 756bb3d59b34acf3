"""`unirank gain`: what policies would have gained on a click log, according to click models."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console

from unirank.cli.arguments import Count, LogFormat, Share, parse_policy
from unirank.cli.fit.command import checked_models, read_log
from unirank.cli.fit.options import HELD_OUT, FitOptions, ReadingOptions
from unirank.cli.fit.report import print_log
from unirank.cli.output import AsJson, say, table
from unirank.errors import ArgumentError
from unirank.lab.log_gain import (
    MIN_IMPRESSIONS,
    MODELS,
    POLICIES,
    VIEWS,
    WITHIN,
    LogGain,
    PolicyGain,
    Range,
    gain_settings,
    log_gain,
)
from unirank.logs.reading.formats import FORMATS
from unirank.policies.base.facts import display_label

N_QUERIES = 10  # without --query
HEADER = ("order", "views", "clicks/view", "range", "gain", "pays back after")


@Parameter(name="*")
@dataclass(frozen=True)
class QueryOptions:
    """Which part of the log is played."""

    query: Annotated[list[str] | None, Parameter(negative="")] = None
    """This query. May be repeated."""

    n_queries: Count | None = None
    """Number of queries, the most frequent ones; 10 without --query."""

    n_positions: int | None = None
    """Cut pages to this number of positions."""

    held_out: Share = HELD_OUT
    """Share of sessions that choose the click models, such as 20%."""

    def settings(self) -> dict[str, Any]:
        """Return the arguments of `read_statistics`."""
        some = self.n_queries is not None or self.query
        return {
            "queries": self.query,
            "n_queries": self.n_queries if some else N_QUERIES,
            "n_positions": self.n_positions,
            "held_out": self.held_out,
        }


def gain(
    log: str,
    *,
    format: LogFormat = "sessions",
    policy: Annotated[list[str] | None, Parameter(negative="")] = None,
    views: Annotated[list[Count] | None, Parameter(negative="")] = None,
    model: str = ",".join(MODELS),
    within: Share = WITHIN,
    min_impressions: Count = MIN_IMPRESSIONS,
    games: Count = 20,
    selected: QueryOptions = QueryOptions(),  # noqa: B008  frozen
    read: ReadingOptions = ReadingOptions(),  # noqa: B008
    estimated: FitOptions = FitOptions(),  # noqa: B008
    json_: AsJson = False,
) -> None:
    """Estimate what policies would have gained on a click log.

    Click models are fitted to the log and compared on held-out sessions. Policies play games with
    the users of the best one, and of those that predict nearly as well, which give the range. The
    estimate is as good as these models are.
    Every query is a page with a policy of its own; means over queries are weighted by sessions.
    Queries whose items were always shown at the same places are left out: their log cannot tell
    good items from good places.

    Parameters
    ----------
    log
        File (also .gz and .zst), or the name of a table if the backend is a warehouse.
    format
        sessions: a table (CSV, Parquet) of session, query, position, item, click. yandex-search
        and yandex-relpred: the public logs. Formats of counts have no sessions to hold out.
    policy
        Play these instead of matchrank and unirank: name, name(option=value) or module:Class. May
        be repeated.
    views
        Print the mean over the first views of a page, instead of 1e3, 1e4 and 1e5. May be
        repeated.
    model
        Click models, with commas between.
    within
        Play also click models that need at most this share more bits than the best one.
    min_impressions
        Leave out items that were shown less often.
    games
        Games of each policy with each click model and query.
    json_
        Print JSON.
    """
    models = checked_models(model, None)
    if FORMATS[format].holds == "counts":
        raise ArgumentError(
            f"gain holds sessions out to choose a click model, and the format {format!r} has "
            "counts only; `unirank fit` and `unirank run` play on its pbm"
        )
    if not selected.held_out:
        raise ArgumentError(f"held_out must be above 0, got {selected.held_out:g}")
    console = Console(stderr=json_)
    chosen = [parse_policy(text) for text in policy or []] or POLICIES
    asked: dict[str, Any] = {
        "models": models,
        "views": views or VIEWS,
        "within": within,
        "min_impressions": min_impressions,
        "n_games": games,
        **vars(estimated),
    }
    gain_settings(chosen, **asked)
    found = read_log(
        log,
        format=format,
        models=list(dict.fromkeys((*models, "pbm"))),  # pbm always: its table has items by position
        **selected.settings(),
        **read.settings(),
    )
    print_log(console, found)
    gained = log_gain(found, chosen, **asked)
    if json_:
        Console().print_json(json.dumps(asdict(gained)))
        return
    print_gained(console, gained)


def print_gained(console: Console, found: LogGain) -> None:
    """Print the click models, the table and what to make of it."""
    for name, reason in found.left_out.items():
        say(console, f"left out {name}: {reason}")
    for query, items in found.left_out_items.items():
        say(console, f"query {query}: {items}" if len(found.queries) > 1 else items)
    for line in _models(found):
        say(console, line)
    console.print(table(HEADER, _rows(found), numbers_from=1))
    for line in _footnotes(found):
        say(console, line)


def _models(found: LogGain) -> Iterator[str]:
    best, *others = (one.model for one in found.models if one.played)
    worse = [one.model for one in found.models if not one.played]
    yield f"{best} predicts the held-out sessions best"
    if others:
        yield f"nearly as well: {', '.join(others)}; the range is over these {len(others) + 1}"
    if worse:
        yield f"worse, not played: {', '.join(worse)}"


def _rows(found: LogGain) -> Iterator[list[str]]:
    several = sum(one.played for one in found.models) > 1
    logged = found.logged.value

    def row(name: str, views: str, clicks: Range, paid: str = "") -> list[str]:
        between = f"{clicks.low:.4f}-{clicks.high:.4f}" if several else ""
        gained = "" if clicks is found.logged else f"{clicks.value / logged - 1:+.1%}"
        return [name, views, f"{clicks.value:.4f}", between, gained, paid]

    yield row("logged order", "", found.logged)
    for each in found.policies:
        for place, (view, clicks) in enumerate(each.clicks.items()):
            paid = _paid_back(each) if place == 0 else ""
            name = display_label(each.policy.partition(" (")[0], each.policy)
            yield row(name if place == 0 else "", f"{view:,}", clicks, paid)
    yield row("best order", "", found.best)


def _paid_back(each: PolicyGain) -> str:
    """Views until it pays back, with their range over the click models."""
    first, low, high = (
        "later" if views is None else f"{views:,}"
        for views in (each.pays_back, each.pays_back_from, each.pays_back_to)
    )
    return first if low == high else f"{first} ({low}-{high})"


def _footnotes(found: LogGain) -> Iterator[str]:
    observed = f"{found.observed:.4f} ± {2 * found.observed_error:.4f}"
    yield f"logged order: {observed} clicks per view were observed in the held-out sessions"
    if found.best_held_out is None or found.best_held_out_error is None:
        yield "best order: too few sessions are held out to value it a second time"
    else:
        second = f"{found.best_held_out.value:.4f} ± {2 * found.best_held_out_error:.4f}"
        yield (
            f"best order: chosen by the fit that values it, which flatters it; a fit to the "
            f"held-out sessions gives it {second}"
        )
    error = max(each.error for each in found.policies)
    several = len(found.queries)
    of = f"of each of {several} queries, weighted by sessions, " if several > 1 else ""
    yield (
        f"policies: mean over the first views {of}of {found.n_games} games, "
        f"± {2 * error:.4f} or less (± is two standard errors)"
    )
    yield (
        "This is a model's answer, not a measurement: it holds for visitors who click as the "
        "fitted models do. An A/B test measures."
    )
