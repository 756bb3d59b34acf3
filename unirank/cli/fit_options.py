"""The options of `unirank fit`, by what they are about."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from unirank.cli.arguments import Count, Share, parse_pairs

Preset = Literal["kdd", "yandex"]
N_QUERIES = 100  # without a preset: a log can have millions
HELD_OUT = 0.2  # with --compare


@Parameter(name="*")
@dataclass(frozen=True)
class Kept:
    """What is kept of the log, and of the fits."""

    preset: Preset | None = None
    """The paper's choice of queries, items and positions."""

    n_queries: Count | None = None
    """The most frequent queries; 100 unless a preset or --query says which."""

    query: Annotated[list[str] | None, Parameter(negative="")] = None
    """This query. May be repeated."""

    n_positions: int | None = None
    """Cut pages after so many positions."""

    n_items: int | None = None
    """Keep the most attractive items of each query, once fitted."""

    min_impressions: Count = 0
    """Keep only items that were shown so often, once fitted."""

    held_out: Share | None = None
    """Share of sessions held out, such as 20%, which is what --compare holds out."""

    def choice(self, compare: bool) -> dict[str, Any]:
        """As arguments of `read_statistics`."""
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
class Read:
    """How the log is read."""

    columns: str = ""
    """What a table calls its columns, such as item=url,position=pos."""

    first_position: int = 1
    """The number of the top position: 1, or 0."""

    max_bad: Share = 0.001
    """Stop if more than this share of lines cannot be read, such as 0.1%."""

    backend: str = "duckdb"
    """duckdb, spark, or the address of a warehouse that Ibis knows."""

    memory: str = "2GB"
    """What DuckDB may use before it writes to disk."""

    n_threads: int | None = None
    """Threads that read; by default as many as there are cores."""

    def settings(self) -> dict[str, Any]:
        """As arguments of `read_statistics`."""
        return vars(self) | {"columns": parse_pairs("columns", self.columns)}


@Parameter(name="*")
@dataclass(frozen=True)
class Estimated:
    """How parameters are estimated."""

    prior: float = 0.0
    """Pseudo-observations of each kind, for every probability; 0 is maximum likelihood."""

    n_starts: int = 3
    """EM is started so often, and the best is kept."""

    max_iterations: Count = 5000
    """Stop after so many steps: of EM, or for pbm and ubm of an ascent to the same maximum."""

    tolerance: float = 1e-9
    """Stop where the log-likelihood grows by less than this share in a step."""

    seed: int = 0
    """Seed of the random starts."""
