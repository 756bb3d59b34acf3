"""Random problems, and cascading policies put into a chosen situation."""

import random
from typing import Any

import numpy as np

from tests.reference.click_models import CM, DCM, PBM, ClickModel
from tests.reference.randomness import USERS, Rng
from unirank import Policy, Ranking

N_ROUNDS = 2000
NUMBERS = range(10)


def problem(number: int) -> tuple[int, int, ClickModel]:
    """A random problem: 2..10 items, 1..L positions, PBM, CM or DCM, often with equal items."""
    draw = random.Random(number)
    n_items = draw.randint(2, 10)
    n_positions = draw.randint(1, n_items)
    values = [draw.random() ** 2 for _ in range(draw.randint(1, n_items))]
    attraction = [draw.choice(values) for _ in range(n_items)]
    chances = sorted((draw.random() for _ in range(n_positions)), reverse=True)
    models: list[ClickModel] = [PBM(attraction, chances), CM(attraction), DCM(attraction, chances)]
    return n_items, n_positions, models[number % 3]


def clicks_of(users: ClickModel, shown: Ranking, seed: int) -> list[bool]:
    return users.clicks([int(i) for i in shown.items], Rng(seed, 0, USERS, shown.round))


def answer(policy: Policy, shown: Ranking, clicks: list[bool]) -> None:
    policy.update(shown, [i for i, click in zip(shown.items, clicks, strict=True) if click])


def after_opening(cls: type[Policy], n_items: int, n_positions: int, **options: Any) -> Any:
    """A policy whose opening is over, without a click."""
    policy = cls(n_items, n_positions, **options)
    for _ in range(n_items):
        policy.update(policy.rank(), [])
    return policy


def with_counts(
    cls: type[Policy], clicked: list[int], examined: list[int], rounds: int, **options: Any
) -> Any:
    """A policy that has given `rounds` rankings and counted these clicks and looks."""
    policy = cls(len(clicked), options.pop("n_positions", len(clicked)), **options)
    policy.restore(
        {
            "examined": np.array(examined),
            "clicked": np.array(clicked),
            "rounds": np.array([rounds]),
        }
    )
    return policy
