"""Problems for the Thompson sampling policies, and the comparison with their literal twins."""

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.reference.click_models import CM, PBM, ClickModel
from tests.reference.posterior_sampling import SamplingTwin
from tests.reference.randomness import USERS, Rng
from unirank import Policy, Ranking
from unirank.kernels.randomness import POLICY, address

N_ROUNDS = 2000
NUMBERS = range(10)
SIZES = ((10, 5), (5, 5), (4, 3), (2, 1), (2, 2), (7, 1), (10, 9), (6, 3), (9, 9), (3, 2))


def problem(number: int) -> tuple[int, int, list[float], ClickModel]:
    """Sizes, examination and users: PBM or, with an examination that is not theirs, CM."""
    draw = random.Random(number)
    n_items, n_positions = SIZES[number]
    values = [draw.random() ** 2 for _ in range(draw.randint(1, n_items))]
    attraction = [draw.choice(values) for _ in range(n_items)]
    looks = sorted((1 - draw.random() ** 2 for _ in range(n_positions)), reverse=True)
    if number % 2:
        looks[0] = 1.0
    users: list[ClickModel] = [PBM(attraction, looks), CM(attraction)]
    return n_items, n_positions, looks, users[number % 3 == 2]


def agree(policy: Policy, twin: SamplingTwin, users: ClickModel, *, delay: int = 0) -> None:
    """Both draw the same samples and give the same rankings, with answers `delay` rounds late."""
    waiting: list[tuple[Ranking, list[bool]]] = []
    for round_ in range(1, N_ROUNDS + 1):
        expected = twin.rank()
        shown = policy.rank()
        np.testing.assert_allclose(policy.state.samples, twin.samples, rtol=1e-9)
        assert list(shown.items) == expected, f"round {round_}"
        rng = Rng(policy.seed, 0, USERS, round_)
        waiting.append((shown, users.clicks(expected, rng)))
        if len(waiting) > delay:
            shown, clicks = waiting.pop((7 * round_) % len(waiting))
            policy.update(shown, [i for i, c in zip(shown.items, clicks, strict=True) if c])
            twin.update([int(i) for i in shown.items], clicks)
    for counts, expected_counts in (
        (policy.state.clicked, twin.clicks),
        (policy.state.shown, twin.displays),
    ):
        by_position = np.array(expected_counts)
        total = by_position if counts.ndim == 2 else by_position.sum(axis=1)
        np.testing.assert_array_equal(counts, total)


def samples_of(policy: Policy, n_rounds: int) -> NDArray[np.float64]:
    """What a policy draws for its items in many rounds, without learning in between."""
    ranking = np.zeros(policy.n_positions, np.int64)
    drawn = np.empty((n_rounds, policy.n_items))
    for round_ in range(n_rounds):
        policy.kernels.rank(policy.state, address(policy.seed, 0, POLICY, round_), ranking)
        drawn[round_] = policy.state.samples
    return drawn


def with_counts(cls: Any, clicked: Any, shown: Any, n_positions: int, **options: Any) -> Any:
    """A policy that has counted these clicks and displays."""
    policy = cls(len(clicked), n_positions, **options)
    policy.restore({"clicked": np.array(clicked), "shown": np.array(shown)})
    return policy
