"""The options of `unirank fit`, in groups."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from unirank.cli.arguments import Count, Share, parse_pairs

Preset = Literal["kdd", "yandex"]
N_QUERIES = 100  # without a preset: a log can have millions
HELD_OUT = 0.2  # with --compare


@Parameter(name="*")
@dataclass(frozen=True)
class SelectionOptions:
    """Which part of the log is read, and which items are kept."""

    preset: Preset | None = None
    """The paper's selection of queries, items and positions."""

    n_queries: Count | None = None
    """Number of queries, the most frequent ones; 100 without a preset or --query."""

    query: Annotated[list[str] | None, Parameter(negative="")] = None
    """This query. May be repeated."""

    n_positions: int | None = None
    """Cut pages to this number of positions."""

    n_items: int | None = None
    """Keep this number of items of each query after the fit, the most attractive ones."""

    min_impressions: Count = 0
    """Keep only items that were shown at least this often."""

    keep_unidentified: Annotated[bool, Parameter(negative="")] = False
    """Keep items that the log cannot compare because they never shared a position. Their
    attractions depend on the start of the fit."""

    held_out: Share | None = None
    """Share of sessions to hold out, such as 20%, the default with --compare."""

    def settings(self, compare: bool) -> dict[str, Any]:
        """Return the arguments of `read_statistics`."""
        some = self.n_queries is not None or self.preset or self.query
        share = HELD_OUT if compare and self.held_out is None else self.held_out or 0.0
        return {
            "preset": self.preset,
            "n_queries": self.n_queries if some else N_QUERIES,
            "queries": self.query,
            "n_positions": self.n_positions,
            "held_out": share,
        }


@Parameter(name="*")
@dataclass(frozen=True)
class ReadingOptions:
    """How the log is read."""

    columns: str = ""
    """Names of the table's columns where they differ, such as item=url,position=pos."""

    first_position: int = 1
    """The number of the top position: 1, or 0."""

    max_bad: Share = 0.001
    """Stop if more than this share of lines cannot be read, such as 0.1%. A session that
    lacks a position, or has one twice, is left out as a whole and counts once."""

    backend: str = "duckdb"
    """duckdb, spark, or the URL of a warehouse that Ibis supports."""

    memory: str = "2GB"
    """Memory of DuckDB; larger tables go to a temporary folder."""

    n_threads: int | None = None
    """Number of threads that read; by default, and at most, the number of cores."""

    def settings(self) -> dict[str, Any]:
        """Return the arguments of `read_statistics`."""
        return vars(self) | {"columns": parse_pairs("columns", self.columns)}


@Parameter(name="*")
@dataclass(frozen=True)
class FitOptions:
    """How parameters are estimated."""

    prior: float = 0.0
    """Pseudo-observations of each kind, for every probability; 0 is maximum likelihood."""

    n_starts: int = 3
    """Number of starts of EM; the best fit is kept."""

    max_iterations: Count = 5000
    """Largest number of steps: of EM, or of coordinate ascent for pbm and ubm."""

    tolerance: float = 1e-9
    """Stop when a step increases the log-likelihood by less than this share."""

    seed: int = 0
    """Seed of all random numbers."""
