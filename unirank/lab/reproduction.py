"""Rerun the paper's evaluation: every panel there is data for, and what was left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from unirank.errors import ArgumentError
from unirank.lab.claims import PANELS, PBM_PANELS
from unirank.lab.experiment import load_experiment
from unirank.lab.runs import Run, planned

QUICK_ROUNDS = 100_000
QUICK_GAMES = 10


@dataclass(frozen=True)
class Reproduction:
    """The runs that can be made here, and a line for each that cannot."""

    runs: list[Run]
    left_out: list[str]


def panel_names(*, common: bool = True) -> list[str]:
    """The paper's panels, and those that a simulator with common clicks would have drawn."""
    return [*PANELS, *(f"{name}-common" for name in PBM_PANELS if common)]


def prepared(
    names: Sequence[str], *, n_rounds: int | None, n_games: int | None, seed: int, out: Path
) -> Reproduction:
    """Plan every panel whose data is here."""
    found = Reproduction([], [])
    for name in names:
        experiment = load_experiment(name)
        try:
            run = planned(experiment, n_rounds=n_rounds, n_games=n_games, seed=seed, out=out)
        except ArgumentError as error:
            found.left_out.append(f"{name}: {error}")
        else:
            found.runs.append(run)
    return found
