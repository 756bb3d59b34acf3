"""Curves as the paper has them, made up, and ours: for the tests of claims and of the report."""

import numpy as np
from numpy.typing import NDArray

from unirank import Trace
from unirank.lab import claims
from unirank.lab.claims import PANELS, PaperPanel
from unirank.lab.matchrank_claims import MATCHRANK

Change = tuple[float, NDArray[np.float64]]  # regret in the last round, and its shape

ROUNDS = np.array([10**k for k in range(8)])
LAST = 10**7

# Regret in the last round and its shape, as the paper has them.
LOGARITHM = np.log(ROUNDS) / np.log(LAST)
EARLY = np.minimum(np.log(ROUNDS) / np.log(10**5), 1.0)  # all of it before 10^5
FINAL = {
    claims.UNIRANK: (300.0, LOGARITHM),
    claims.TOPRANK: (600.0, EARLY),
    claims.OVERESTIMATED: (900.0, LOGARITHM),
    claims.DOUBLING: (1000.0, LOGARITHM),
    claims.PB_MHB: (100.0, LOGARITHM),
    claims.GRAB: (2000.0, LOGARITHM),
    claims.CASCADE: (5000.0, ROUNDS / LAST),
    MATCHRANK: (40.0, LOGARITHM),
}


def trace(experiment: str, label: str, shape: NDArray[np.float64], seed: int) -> Trace:
    games = 20
    noise = np.random.default_rng(seed).standard_normal((games, 1)) * 0.01 * shape
    return Trace(
        policy="p",
        options={},
        click_model={},
        best_ranking=[0],
        n_positions=1,
        n_rounds=LAST,
        seed=0,
        games=np.arange(games),
        rounds=ROUNDS,
        regret=shape + noise,
        experiment=experiment,
        problem="q",
        curve=label,
    )


def panels(changes: dict[str, Change]) -> dict[str, PaperPanel]:
    """Every panel, with the paper's curves and ours below them, but for `changes`."""
    made = []
    for name in PANELS:
        final = dict(FINAL)
        if name in claims.CM_PANELS:
            final[claims.CASCADE] = (50.0, LOGARITHM)
        final |= changes
        made += [
            trace(name, label, height * shape, seed)
            for seed, (label, (height, shape)) in enumerate(final.items())
        ]
    return claims.panels_of(made)
