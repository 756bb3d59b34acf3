"""`unirank plot`: traces to a figure."""

from collections import Counter
from pathlib import Path
from typing import Literal

from rich.console import Console

from unirank.files import writable_folder
from unirank.lab.results import load_results
from unirank.lab.summary import pooled
from unirank.plots.regret_curve import check_format, plot_regret, save_figure
from unirank.simulation import Trace


def plot(
    *results: Path,
    out: Path = Path("regret.png"),
    y: Literal["linear", "log"] = "linear",
) -> None:
    """Plot regret against rounds, one panel per experiment.

    Parameters
    ----------
    results
        Traces (Parquet files) or folders of them; default: results.
    out
        Figure to write; its ending says the format: .png, .svg or .pdf.
    y
        Scale of the regret axis. A linear one ends above the second worst policy if the worst is
        far off.
    """
    check_format(out)
    figure = plot_regret(panels(results or (Path("results"),)), y=y)
    writable_folder("out", out.parent)
    save_figure(figure, out)
    Console().print(f"wrote {out}", highlight=False, soft_wrap=True)


def panels(results: tuple[Path, ...]) -> dict[str, list[Trace]]:
    """Curves by their experiment; those of several scales or seeds are told apart."""
    groups: dict[tuple[str, int, int], list[Trace]] = {}
    for trace in load_results(results):
        groups.setdefault((trace.experiment, trace.n_rounds, trace.seed), []).append(trace)
    scales = Counter(experiment for experiment, _, _ in groups)
    return {
        experiment
        if scales[experiment] == 1
        else f"{experiment}, {n_rounds:,} rounds, seed {seed}": pooled(traces)
        for (experiment, n_rounds, seed), traces in groups.items()
    }
