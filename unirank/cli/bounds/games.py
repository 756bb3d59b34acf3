"""Games of UniRank for `unirank bounds --plot`: its regret beside the bound."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from unirank.cli.bounds.tables import LEADING, REGRET_HEAD, SLOPE_HEAD, regret_cells, slope_rows
from unirank.cli.output import say, table
from unirank.errors import ArgumentError
from unirank.lab.bounds import Problem, beside_bound, bounds_of, late_slope
from unirank.lab.plots.panels import distinct, title_of
from unirank.lab.plots.regret_curve import plot_regret
from unirank.lab.simulation import Trace, simulate
from unirank.lab.summary import pooled
from unirank.lab.theory import Bound


@dataclass(frozen=True)
class BoundedTrace:
    """Games on the problems of one target, and the bounds on their mean regret."""

    target: str
    trace: Trace
    bounds: list[Bound]

    def to_dict(self) -> dict[str, Any]:
        """What was measured, as plain data; the bound is that of Theorem 1."""
        theorem = self.bounds[0]
        return {
            "name": self.target,
            "n_games": self.trace.n_games,
            "n_rounds": self.trace.n_rounds,
            "seed": self.trace.seed,
            "constant": theorem.constant,
            "slope": late_slope(self.trace),
            "regret": [asdict(row) for row in beside_bound(self.trace, theorem)],
        }


def play_unirank(
    console: Console, chosen: Mapping[str, Mapping[str, Problem]], **scale: Any
) -> list[BoundedTrace]:
    """Play UniRank on the problems that have a bound, and print its regret beside it."""
    measured = []
    for target, found in chosen.items():
        bounds, reason = bounds_of(list(found.values()))
        if reason:
            say(console, f"left out {target}: {reason}")
            continue
        traces = []
        for name, problem in found.items():
            trace = simulate("unirank", problem.users, n_positions=problem.n_positions, **scale)
            traces.append(replace(trace, problem=name, curve="UniRank"))
        (together,) = pooled(traces)
        measured.append(BoundedTrace(target, together, bounds))
        rows = regret_cells([asdict(row) for row in beside_bound(together, bounds[0])])
        console.print(table([f"{target}: rounds", *REGRET_HEAD], rows))
    if not measured:
        raise ArgumentError("plot needs a problem with a finite bound, got none")
    rows = slope_rows([one.to_dict() for one in measured])
    console.print(table(["regret against ln t", *SLOPE_HEAD], rows))
    say(console, LEADING)
    return measured


def bound_figure(measured: Sequence[BoundedTrace]) -> Any:
    """Draw a panel per target."""
    short = [title_of(Path(one.target).stem) for one in measured]
    titles = distinct(short, [one.target for one in measured])
    panels = {title: [one.trace] for title, one in zip(titles, measured, strict=True)}
    bounds = {title: one.bounds for title, one in zip(titles, measured, strict=True)}
    return plot_regret(panels, bounds=bounds)
