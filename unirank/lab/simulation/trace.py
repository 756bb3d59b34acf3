"""The result of a simulation: regret by game and checkpoint, with the settings that made it."""

import math
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from importlib.metadata import version
from os import PathLike
from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec
import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.lab.simulation.trace_file import read_trace, unreadable, write_trace
from unirank.policies.base.specs import described
from unirank.users import ClickModel
from unirank.users.objective import CLICKS, LOST
from unirank.users.segments import Segments

if TYPE_CHECKING:
    import polars as pl


def versions() -> dict[str, str]:
    """Versions of everything that the bits of a trace could depend on."""
    return {"python": platform.python_version()} | {
        name: version(name) for name in ("unirank", "numba", "numpy")
    }


@dataclass(frozen=True, eq=False)
class Trace:
    """Cumulative pseudo-regret of a policy in independent games.

    `simulate` returns it; its fields are attributes.

    Parameters
    ----------
    policy
        Name of the policy.
    options
        Its options.
    click_model
        The users, as `ClickModel.from_dict` reads them; empty where several problems were put
        together.
    best_ranking
        What regret is measured against; the best ranking of each, where there are segments.
    n_positions
        How many items a ranking has.
    n_rounds
        Rounds of each game.
    seed
        The seed of the simulation.
    games
        Number of each game, (n_games,).
    rounds
        The checkpoints, (n_checkpoints,).
    regret
        `regret[g, c]` is the regret of game `games[g]` after `rounds[c]` rounds, in the unit
        `lost`.
    objective
        What a ranking is worth, and regret is measured in.
    interrupted
        Whether Ctrl-C ended the simulation before all games were played.
    experiment
        The experiment of these games, if any.
    experiment_version
        The version of that experiment.
    problem
        The problem of the experiment that was played.
    part
        The problems of the experiment that share a panel with this one, if not all do.
    curve
        Name of the curve that the trace is a part of; "" where policy and options name it.
    policy_class
        Where a policy of your own is found: "module:Class"; "" for one of this library.
    click_model_class
        Where a click model of your own is found: "module:Class"; "" for one of this library.
    algorithm
        The number of the policy's algorithm; traces from before there were any have 1.
    versions
        Versions of everything that the bits of a trace could depend on.
    """

    policy: str
    options: dict[str, Any]
    click_model: dict[str, Any]
    best_ranking: list[Any]
    n_positions: int
    n_rounds: int
    seed: int
    games: NDArray[np.int64]  # (n_games,)
    rounds: NDArray[np.int64]  # (n_checkpoints,)
    regret: NDArray[np.float64]  # (n_games, n_checkpoints)
    objective: str = CLICKS
    interrupted: bool = False
    experiment: str = ""
    experiment_version: int = 0
    problem: str = ""
    part: str = ""
    curve: str = ""
    policy_class: str = ""
    click_model_class: str = ""
    algorithm: int = 1
    versions: dict[str, str] = field(default_factory=versions)

    @property
    def n_games(self) -> int:
        return len(self.games)

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean regret over games, by checkpoint."""
        return np.asarray(self.regret.mean(axis=0))

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """Standard error of the mean, by checkpoint; NaN for a single game."""
        if self.n_games < 2:
            return np.full(len(self.rounds), np.nan)
        return np.asarray(self.regret.std(axis=0, ddof=1) / math.sqrt(self.n_games))

    def at(self, round: int) -> NDArray[np.float64]:
        """Regret of each game after so many rounds.

        Parameters
        ----------
        round
            A checkpoint, one of `rounds`.
        """
        (index,) = np.nonzero(self.rounds == round)
        if not len(index):
            near = self.rounds[np.abs(self.rounds - round).argmin()]
            raise ArgumentError(f"round must be a checkpoint, got {round}; the nearest is {near}")
        return np.asarray(self.regret[:, index[0]])

    def gain(self, order: Sequence[int]) -> NDArray[np.float64]:
        """Clicks gained against always showing `order`, by game and checkpoint.

        The loss of `order` is known exactly, and the gain is this loss minus the regret: negative
        until learning has paid back. Under another `objective` than clicks, the gain is measured in
        it.

        Parameters
        ----------
        order
            A ranking of the click model's items.

        Returns
        -------
        array of float
            By game (row) and checkpoint (column).
        """
        if not self.click_model:
            raise ArgumentError("gain needs the trace of one problem, got several put together")
        users = ClickModel.from_dict(self.click_model)
        if len(order) != self.n_positions:
            raise ArgumentError(
                f"order must have n_positions={self.n_positions} items, got {order!r}"
            )
        if isinstance(users, Segments):
            return self._lost_by_segments(users, order) - self.regret
        best = users.value(self.best_ranking, self.objective)
        loss = best - users.value(order, self.objective)
        return np.asarray(self.rounds * loss - self.regret)

    def _lost_by_segments(self, users: Segments, order: Sequence[int]) -> NDArray[np.float64]:
        """What always showing `order` loses with the visitors who came."""
        bests = zip(users.users, self.best_ranking, strict=True)
        losses = [
            model.value(best, self.objective) - model.value(order, self.objective)
            for model, best in bests
        ]
        visitors = [users.visitors(self.rounds, seed=self.seed, game=int(g)) for g in self.games]
        return np.asarray(np.stack(visitors) @ np.array(losses))

    @property
    def label(self) -> str:
        """Name in legends and tables: by default, policy and options."""
        return self.curve or described(self.policy, self.options)

    @property
    def lost(self) -> str:
        """What regret counts: "clicks lost", or what `objective` says instead."""
        return LOST[self.objective]

    @property
    def gained(self) -> str:
        """What `gain` counts, in words."""
        return "clicks gained" if self.objective == CLICKS else f"gain in {self.objective}"

    def recipe(self) -> dict[str, Any]:
        """Return all settings of the games, as plain data. Classes of this library have no path."""
        arrays = ("games", "rounds", "regret")
        settings = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in arrays}
        for name in ("policy_class", "click_model_class"):
            if not settings[name]:
                del settings[name]
        return {**settings, "n_games": self.n_games}

    def to_polars(self) -> "pl.DataFrame":
        """One row per game and checkpoint: policy, game, round, regret."""
        polars = optional("polars", "lab")
        n_checkpoints = len(self.rounds)
        frame: pl.DataFrame = polars.DataFrame(
            {
                "policy": [self.label] * (self.n_games * n_checkpoints),
                "game": np.repeat(self.games, n_checkpoints),
                "round": np.tile(self.rounds, self.n_games),
                "regret": self.regret.ravel(),
            }
        )
        return frame

    def save(self, path: str | PathLike[str]) -> None:
        """Write a Parquet file: the rows of `to_polars`, the recipe and a checksum.

        Parameters
        ----------
        path
            The file to write.
        """
        write_trace(path, self.to_polars(), self.recipe())

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "Trace":
        """Read what `save` wrote; raise ArgumentError if it has changed since.

        Parameters
        ----------
        path
            A file that `save` wrote.
        """
        recipe, columns = read_trace(path)
        types = get_type_hints(cls)
        for name in recipe:
            if name not in types:
                reason = f"its {name!r:.40} is of a newer version of unirank"
                raise unreadable(path, reason, "read it with that version")
        try:
            settings = {name: msgspec.convert(recipe[name], types[name]) for name in recipe}
            return cls(
                **settings,
                games=columns["game"][:, 0],
                rounds=columns["round"][0],
                regret=columns["regret"],
            )
        except (msgspec.ValidationError, TypeError):
            raise unreadable(path, "its recipe is not that of a trace") from None
