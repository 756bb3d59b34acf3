"""What every click model's tests ask: does the compiled model do what its plain twin does?

Statistical answers come from N_USERS users of a fixed seed. Margins: |z| < MOST_Z is broken by
chance once in 10^5 positions, a p-value > SIGNIFICANCE once in 10^4 models, and with a fixed seed
either for ever or never.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from tests.reference.click_models import ClickModel as Twin
from tests.reference.click_models import best_ranking
from tests.reference.randomness import Rng
from unirank.policies.kernels.compiling import bind
from unirank.policies.kernels.randomness import USERS, at_round, stream_key
from unirank.users import ClickModel

N_USERS = 200_000
MOST_Z = 4.5
SIGNIFICANCE = 1e-4
ROUNDING = 1e-12

probability = st.one_of(st.integers(1, 99).map(lambda n: n / 100), st.sampled_from([0.0, 0.5, 1.0]))


def probabilities(n: int) -> st.SearchStrategy[list[float]]:
    return st.lists(probability, min_size=n, max_size=n)


def random_rankings(model: ClickModel, n: int) -> list[list[int]]:
    """Rankings of every length the model describes, in turn."""
    rng = np.random.default_rng(1)
    longest = min(model.n_items, model.n_positions)
    return [rng.permutation(model.n_items)[: 1 + k % longest].tolist() for k in range(n)]


def disagreements(model: ClickModel, twin: Twin, n_users: int = 2000) -> list[Any]:
    """The rankings and rounds at which one user's clicks are not those of the twin."""
    return [
        (ranking, round)
        for round, ranking in enumerate(random_rankings(model, n_users), 1)
        if model.draw_clicks(ranking, seed=0, game=1, round=round).tolist()
        != twin.clicks(ranking, Rng(0, 1, USERS, round))
    ]


def largest_error(model: ClickModel, twin: Twin) -> float:
    """Of the expected clicks, against the twin's sum over all vectors of clicks."""
    return max(
        float(np.max(np.abs(model.expected_clicks(ranking) - twin.expected_clicks(ranking))))
        for ranking in random_rankings(model, 60)
    )


def largest_error_of_joint_clicks(model: ClickModel, twin: Twin) -> float:
    """Of the chance of two clicks, against the twin's sum over all vectors of clicks."""
    errors = []
    for ranking in random_rankings(model, 60):
        vectors = patterns_of(len(ranking))
        chances = np.array([twin.probability(ranking, vector) for vector in vectors.tolist()])
        expected = np.einsum("v,vk,vl->kl", chances, vectors, vectors)
        errors.append(float(np.max(np.abs(model.joint_clicks(ranking) - expected))))
    return max(errors)


def click(model: Any, ranking: Any, rng: Any, clicks: Any) -> None:
    """Placeholder in `count_patterns`."""
    raise AssertionError("count_patterns must be bound to a click model")


def count_patterns(
    model: Any,
    ranking: NDArray[np.int64],
    key: np.uint64,
    n_users: int,
    clicks: NDArray[np.bool_],  # (n_positions,) scratch
    counts: NDArray[np.int64],  # (2 ** n_positions,) out: position k clicked is bit k
) -> None:
    for user in range(n_users):
        click(model, ranking, at_round(key, user + 1), clicks)
        pattern = 0
        for position in range(clicks.size):
            if clicks[position]:
                pattern += 2**position
        counts[pattern] += 1


def patterns_of(n_positions: int) -> NDArray[np.bool_]:
    """All vectors of clicks, by pattern number."""
    return np.array(list(product((False, True), repeat=n_positions)))[:, ::-1]


def pattern_counts(model: ClickModel, ranking: Sequence[int]) -> NDArray[np.int64]:
    """How many of N_USERS users clicked in each way, the previous user's clicks left lying."""
    counts = np.zeros(2 ** len(ranking), np.int64)
    clicks = np.ones(len(ranking), np.bool_)
    count = bind(count_patterns, model.name, click=model.kernels.click)
    key = np.uint64(stream_key(2, 0, USERS))
    count(model.parameters, np.array(ranking), key, N_USERS, clicks, counts)
    return counts


def click_rates(model: ClickModel, ranking: Sequence[int]) -> NDArray[np.float64]:
    rates: NDArray[np.float64] = (
        pattern_counts(model, ranking) @ patterns_of(len(ranking)) / N_USERS
    )
    return rates


def largest_z(model: ClickModel, ranking: Sequence[int]) -> float:
    """Of the click rates of N_USERS users, against the expected clicks."""
    expected = model.expected_clicks(ranking)
    error = np.sqrt(expected * (1 - expected) / N_USERS)
    return float(np.max(np.abs(click_rates(model, ranking) - expected) / error))


def p_value_of_joint_law(model: ClickModel, twin: Twin, ranking: Sequence[int]) -> float:
    """Chi-square of all vectors of clicks; 0 if one was drawn that cannot be."""
    counts = pattern_counts(model, ranking)
    vectors = patterns_of(len(ranking)).tolist()
    chances = np.array([twin.probability(ranking, vector) for vector in vectors])
    possible = chances > 0
    if counts[~possible].any():
        return 0.0
    return float(stats.chisquare(counts[possible], N_USERS * chances[possible]).pvalue)


def shortfall(model: ClickModel, twin: Twin, n_positions: int) -> float:
    """How much the best ranking differs in value from the best of all rankings, by the twin."""
    best = model.best_ranking(n_positions)
    assert len(best) == len(set(best)) == n_positions
    _, most = best_ranking(twin, model.n_items, n_positions)
    return abs(sum(twin.expected_clicks(best)) - most)
