"""Problems for policies that know the examination, and the comparison with literal twins."""

import random
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tests.policies.cascades import answer, clicks_of
from tests.reference.click_models import CM, PBM, ClickModel
from tests.reference.examined_means import ExaminedMeansTwin
from unirank import Policy, Ranking

N_ROUNDS = 2000
SIZES = [(2, 1), (2, 2), (3, 2), (4, 4), (5, 1), (6, 3), (7, 6), (8, 4), (9, 5), (10, 3)]
NUMBERS = range(len(SIZES))


def problem(number: int) -> tuple[int, list[float], ClickModel]:
    """Items, the examination that the policy is told, and users: PBM or CM, often equal items."""
    draw = random.Random(number)
    n_items, n_positions = SIZES[number]
    values = [draw.random() ** 2 for _ in range(draw.randint(1, n_items))]
    attraction = [draw.choice(values) for _ in range(n_items)]
    looks = sorted((draw.uniform(0.1, 1) for _ in range(n_positions)), reverse=True)
    if number % 3 == 0:
        looks = [1.0] * n_positions
    return n_items, looks, CM(attraction) if number % 4 == 1 else PBM(attraction, looks)


def agree(
    policy: Policy,
    twin: ExaminedMeansTwin,
    users: ClickModel,
    *,
    delay: int = 0,
    n_rounds: int = N_ROUNDS,
) -> None:
    """Both give the same rankings and count the same, with answers `delay` rounds late."""
    waiting: list[tuple[Ranking, list[bool]]] = []
    for round_ in range(1, n_rounds + 1):
        expected = twin.rank()
        shown = policy.rank()
        assert list(shown.items) == expected, f"round {round_}"
        waiting.append((shown, clicks_of(users, shown, policy.seed)))
        if len(waiting) > delay:
            shown, clicks = waiting.pop((7 * round_) % len(waiting))
            answer(policy, shown, clicks)
            twin.update([int(i) for i in shown.items], clicks)
    np.testing.assert_array_equal(policy.state.shown, twin.shown)
    np.testing.assert_array_equal(policy.state.clicked, twin.clicked)


def with_counts(
    cls: type[Policy],
    clicked: ArrayLike,
    shown: ArrayLike,
    *,
    rounds: int,
    examination: list[float],
    **options: Any,
) -> Any:
    """A policy that has given `rounds` rankings and counted this, per item and position."""
    n_items = len(np.asarray(shown))
    policy = cls(n_items, len(examination), examination=examination, **options)
    counts = {"clicked": np.array(clicked), "shown": np.array(shown)}
    policy.restore({**counts, "rounds": np.array([rounds])})
    return policy
