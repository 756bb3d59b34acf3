"""A progress bar for long simulations: games done, rounds per second, time left."""

import sys
from types import TracebackType
from typing import Self

from rich import progress as bars
from rich.console import Console
from rich.text import Text


class Speed(bars.ProgressColumn):
    """Rounds per second."""

    def render(self, task: bars.Task) -> Text:
        return Text(f"{task.finished_speed or task.speed or 0:.2g} rounds/s")


class Progress:
    """Bar on standard error; shown by default only where someone is watching."""

    def __init__(self, title: str, n_games: int, n_rounds: int, *, shown: bool | None) -> None:
        visible = sys.stderr.isatty() if shown is None else shown
        self._bar = bars.Progress(
            bars.TextColumn("{task.description}"),
            bars.BarColumn(),
            bars.TextColumn("{task.fields[games]}/" + f"{n_games} games"),
            Speed(),
            bars.TimeRemainingColumn(),
            console=Console(stderr=True),
            disable=not visible,
            transient=not visible,
        )
        self._task = self._bar.add_task(title, total=n_games * n_rounds, games=0)

    def show(self, rounds: int, games: int) -> None:
        self._bar.update(self._task, completed=rounds, games=games)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()
