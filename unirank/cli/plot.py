"""`unirank plot`: draw the regret of traces, and write their numbers."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from rich.console import Console

from unirank.cli.output import say
from unirank.cli.panels import FigurePanel, label_of_curve, measured_in, panels_in
from unirank.cli.tables import check_table, table_file
from unirank.errors import ArgumentError
from unirank.files import writable_folder, write_atomically
from unirank.lab.bounds import bounds_of, problems_in
from unirank.lab.plots.difference import plot_differences
from unirank.lab.plots.regret_curve import plot_regret
from unirank.lab.plots.saving import save_figure, targets
from unirank.lab.results import load_results
from unirank.lab.summary import pooled
from unirank.lab.theory import Bound
from unirank.policies.base.facts import display_label
from unirank.users.objective import CLICKS, Objective

Scale = Literal["linear", "log"]


def plot(
    *results: Path,
    out: Annotated[list[Path] | None, Parameter(negative="")] = None,
    y: Scale = "linear",
    panel: Annotated[list[str] | None, Parameter(negative="")] = None,
    against: str = "",
    objective: Objective | None = None,
    bounds: Annotated[bool, Parameter(negative="")] = False,
    table: Path | None = None,
) -> None:
    """Plot regret against rounds, one panel per experiment.

    Parameters
    ----------
    results
        Traces (Parquet files) or folders of them; default: results.
    out
        Figure to write; its ending says the format: .png, .svg or .pdf. A name without ending
        writes all three. May be repeated. Default: regret.png.
    y
        Scale of the regret axis. A linear one begins in the decade of rounds in which a curve
        leaves 0, and ends above the second worst policy if the worst is far off. With --against,
        a logarithmic one goes both ways from 0.
    panel
        Draw only this experiment. May be repeated.
    against
        Label of a curve: draw the others' regret minus its regret, game by game.
    objective
        Which results, if regret was measured in several objectives.
    bounds
        Also draw what Theorem 1 allows UniRank (its leading term, C ln T), where it is finite;
        of several problems, the mean of their bounds.
    table
        Also write regret by decade, as Markdown (.md), JSON (.json) or CSV (.csv): mean,
        standard error, median, 95th percentile and worst game.
    """
    files = targets(out or [Path("regret.png")])
    if table is not None:
        check_table(table)
    if against and bounds:
        raise ArgumentError(f"bounds cannot be drawn with against={against!r}: they bound regret")
    if bounds and objective is not None:
        check_bounded(objective)
    traces = measured_in(load_results(results or (Path("results"),)), objective)
    panels = panels_in(traces, panel or [])
    console = Console()
    if bounds:
        check_bounded(panels[0].objective)
    allowed = {panel.title: bounds_under(console, panel) for panel in panels if bounds}
    figure = differences(console, panels, against, y) if against else regrets(panels, y, allowed)
    for file in files:
        writable_folder("out", file.parent)
        save_figure(figure, file)
    if table is not None:
        writable_folder("table", table.parent)
        write_atomically(table, table_file(table.suffix, panels))
    for file in [*files, table] if table is not None else files:
        say(console, f"wrote {file}")


def check_bounded(objective: str) -> None:
    """Raise ArgumentError if the theory has no bound on regret in this objective."""
    if objective != CLICKS:
        raise ArgumentError(
            f"bounds are on clicks, they cannot be drawn with objective={objective!r}"
        )


def regrets(
    panels: list[FigurePanel], y: Scale, bounds: Mapping[str, Sequence[Bound]] | None = None
) -> Any:
    traces = {panel.title: pooled(panel.traces) for panel in panels}
    return plot_regret(traces, y=y, bounds=bounds)


def bounds_under(console: Console, panel: FigurePanel) -> list[Bound]:
    """Return the bounds of a panel; print the reason if there are none."""
    try:
        found, reason = bounds_of(problems_in(panel.traces))
    except ArgumentError as error:
        found, reason = [], str(error)
    if reason:
        name = " ".join(panel.title.split())
        say(console, f"no bound for {name}: {reason}")
    return found


def differences(console: Console, panels: list[FigurePanel], against: str, y: Scale) -> Any:
    """Draw differences of regret; leave out panels that have nothing to compare."""
    label = label_of_curve(panels, against)
    gaps = {panel.title: panel.gaps(label) for panel in panels}
    for title in [title for title, found in gaps.items() if not found]:
        del gaps[title]
        name = " ".join(title.split())
        say(console, f"left out {name}: nothing to compare")
    if not gaps:
        raise ArgumentError(f"against needs another curve in the panels of {against!r}")
    known = [trace for panel in panels for trace in panel.traces]
    policy = next(trace.policy for trace in known if trace.label == label)
    name = display_label(policy, label)
    return plot_differences(gaps, against=name, lost=panels[0].lost, known=known, y=y)
