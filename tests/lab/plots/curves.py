"""Traces of known regret, for the tests of figures."""

import numpy as np

from unirank import Trace

ROUNDS = np.array([1, 10, 100, 1000, 10_000])
PAPER = ("kdd-pbm", "yandex-pbm", "yandex-cm", "yandex-8107157-pbm", "simul-pbm", "simul-cm")
CURVES = (
    ("unirank", "UniRank", 1.0),
    ("toprank", "TopRank, right horizon", 2.0),
    ("toprank", "TopRank, horizon 10^12", 3.0),
    ("cascade-kl-ucb", "CascadeKL-UCB", 1.5),
)


def curve(
    policy: str = "unirank",
    label: str = "UniRank",
    factor: float = 1.0,
    *,
    experiment: str = "simul-pbm",
    problem: str = "one",
    n_games: int = 4,
    seed: int = 0,
) -> Trace:
    """Regret that grows like a logarithm, game g having 10 g % more of it."""
    luck = 1 + np.arange(n_games) / 10
    return Trace(
        policy=policy,
        options={},
        click_model={"click_model": "cm", "attraction": [0.5, 0.1], "problem": problem},
        best_ranking=[0],
        n_positions=1,
        n_rounds=int(ROUNDS[-1]),
        seed=seed,
        games=np.arange(n_games),
        rounds=ROUNDS,
        regret=factor * luck[:, None] * np.log(ROUNDS),
        experiment=experiment,
        problem=problem,
        curve=label,
    )


def curves(experiment: str = "simul-pbm", problem: str = "one") -> list[Trace]:
    return [curve(*each, experiment=experiment, problem=problem) for each in CURVES]
