"""What a long run shows while it lasts: games done, rounds per second, time left, who leads."""

import sys
from collections import defaultdict
from types import TracebackType
from typing import Self

from rich import progress as bars
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from unirank.lab.blocks import Block
from unirank.simulation import Trace
from unirank.simulation.progress import Speed

MOST_LEADERS = 8


class LiveView:
    """A bar and the mean regret so far, on standard error; only where someone is watching."""

    def __init__(self, title: str, blocks: list[Block], *, shown: bool | None = None) -> None:
        visible = sys.stderr.isatty() if shown is None else shown
        self.n_games = sum(len(block.games) for block in blocks)
        self.finished_rounds = 0
        self.finished_games = 0
        self._regret: dict[tuple[str, str], list[float]] = defaultdict(list)
        self._bar = bars.Progress(
            bars.TextColumn("{task.description}"),
            bars.BarColumn(),
            bars.TextColumn("{task.fields[games]}/" + f"{self.n_games} games"),
            Speed(),
            bars.TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        total = sum(block.rounds for block in blocks)
        self._task = self._bar.add_task(title, total=total, games=0)
        self._live = Live(console=self._bar.console)
        self._visible = visible

    def done(self, block: Block, trace: Trace) -> None:
        """Count a finished block."""
        self.finished_rounds += block.rounds
        self.finished_games += len(block.games)
        key = (block.curve.experiment, block.curve.label)
        self._regret[key] += trace.regret[:, -1].tolist()
        self.watch(0)

    def watch(self, rounds: int) -> None:
        """Show how far it is; `rounds` are those of the blocks in flight."""
        self._bar.update(
            self._task, completed=self.finished_rounds + rounds, games=self.finished_games
        )
        if self._visible:
            self._live.update(Group(self._bar, Text(self.leaders(), style="dim")))

    def leaders(self) -> str:
        """Mean regret of the games so far, of the experiment that is played now, least first."""
        if not self._regret:
            return ""
        present = next(reversed(self._regret))[0]
        means = {
            label: sum(regret) / len(regret)
            for (experiment, label), regret in self._regret.items()
            if experiment == present
        }
        best = sorted(means, key=lambda label: means[label])[:MOST_LEADERS]
        return f"{present}: " + ", ".join(f"{label} {means[label]:,.0f}" for label in best)

    def __enter__(self) -> Self:
        if self._visible:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._visible:
            self._live.stop()
