"""`unirank plot`: traces to a figure."""

from pathlib import Path
from typing import Literal

from rich.console import Console

from unirank.errors import ArgumentError
from unirank.files import writable_folder
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
    """Traces by their experiment or, without one, by the name of the folder they lie in."""
    paths: list[Path] = []
    for result in results:
        if not result.exists():
            raise ArgumentError(f"results must be traces or folders of them, got {str(result)!r}")
        paths += sorted(result.rglob("*.parquet")) if result.is_dir() else [result]
    if not paths:
        raise ArgumentError(f"results must hold traces (*.parquet), none in {results[0]}")
    found: dict[str, list[Trace]] = {}
    for path in paths:
        trace = Trace.load(path)
        found.setdefault(trace.experiment or path.resolve().parent.name, []).append(trace)
    return found
