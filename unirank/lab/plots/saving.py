"""A figure as files: PNG, SVG, PDF, or all three."""

from collections.abc import Sequence
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.files import write_atomically
from unirank.lab.plots.theme import STYLE

FORMATS = (".png", ".svg", ".pdf")


def targets(out: Sequence[Path]) -> list[Path]:
    """Return the files to write: those named; a name without ending stands for all formats."""
    found: dict[Path, None] = {}
    for path in out:
        if not path.name or path.name in FORMATS:
            raise ArgumentError(f"out must be the name of a file, got {str(path)!r}")
        for target in [path] if path.suffix else [Path(f"{path}{ending}") for ending in FORMATS]:
            check_format(target)
            found[target] = None
    if found:
        optional("matplotlib", "lab")  # or a command would find out after hours of games
    return list(found)


def check_format(path: Path) -> None:
    if path.suffix not in FORMATS:
        raise ArgumentError(
            f"out must end in {', '.join(FORMATS)}, or have no ending for all three, "
            f"got {str(path)!r}"
        )


def drawn(figure: Any, path: str | PathLike[str] | None) -> Any:
    """Return the figure; write it to `path` first, if there is one."""
    if path is not None:
        save_figure(figure, path)
    return figure


def save_figure(figure: Any, path: str | PathLike[str]) -> None:
    """Write the figure in the format of the path's ending."""
    path = Path(path)
    check_format(path)
    buffer = BytesIO()
    with optional("matplotlib", "lab").rc_context(STYLE):
        figure.savefig(buffer, format=path.suffix[1:], metadata=_undated(path.suffix))
    write_atomically(path, buffer.getvalue())


def _undated(suffix: str) -> dict[str, None]:
    """Leave out the date, so that the same figure is the same file."""
    return {} if suffix == ".png" else {"Date" if suffix == ".svg" else "CreationDate": None}
