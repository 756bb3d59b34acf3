"""A progress bar on standard error, shown only on a terminal."""

import sys
from types import TracebackType
from typing import Self

from rich import progress as bars
from rich.console import Console
from rich.text import Text


class ProgressBar:
    """Title, bar, speed in `unit` per second, and time left.

    `total` is None as long as it is not known. `shown` overrides the default, which is to show the
    bar if standard error is a terminal. A `transient` bar disappears at the end.

    >>> with ProgressBar("reading", total=3, unit="rows") as bar:
    ...     for row in range(3):
    ...         bar.show(row + 1)
    """

    def __init__(
        self,
        title: str,
        total: float | None,
        *,
        unit: str,
        shown: bool | None = None,
        transient: bool = False,
    ) -> None:
        self.visible = sys.stderr.isatty() if shown is None else shown
        amount = (
            bars.DownloadColumn() if unit == "bytes" else bars.TextColumn("{task.fields[note]}")
        )
        self._bar = bars.Progress(
            bars.TextColumn("{task.description}"),
            bars.BarColumn(),
            amount,
            bars.TransferSpeedColumn() if unit == "bytes" else _Speed(unit),
            bars.TimeRemainingColumn(),
            console=Console(stderr=True),
            disable=not self.visible,
            transient=transient,
        )
        self._task = self._bar.add_task(title, total=total, note="")

    def show(self, done: float, *, total: float | None = None, note: str = "") -> None:
        """Show how much is done; `note` stands beside the bar."""
        self._bar.update(self._task, completed=done, total=total, note=note)

    def start(self) -> None:
        self._bar.start()

    def stop(self) -> None:
        self._bar.stop()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


class _Speed(bars.ProgressColumn):
    def __init__(self, unit: str) -> None:
        super().__init__()
        self.unit = unit

    def render(self, task: bars.Task) -> Text:
        return Text(f"{task.finished_speed or task.speed or 0:.2g} {self.unit}/s")
