from itertools import permutations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.users.agreement import probabilities
from unirank.users.chain import best_chain


def worth(ranking: tuple[int, ...], attraction: list[float], reads_on: list[float]) -> float:
    """a_1 + c_1 (a_2 + c_2 (a_3 + ...)), from the end."""
    total = 0.0
    for item in reversed(ranking):
        total = attraction[item] + reads_on[item] * total
    return total


def best_of(attraction: list[float], reads_on: list[float], n_positions: int) -> tuple[int, ...]:
    best = best_chain(np.array(attraction), np.array(reads_on), n_positions)
    return tuple(best.tolist())


@given(probabilities(5), probabilities(5), st.integers(1, 5))
@example([0.3, 0.2, 0.1, 0.4, 0.2], [0.0, 0.0, 0.0, 0.0, 0.0], 3)
@example([0.3, 0.2, 0.1, 0.4, 0.2], [1.0, 1.0, 1.0, 1.0, 1.0], 3)
@example([0.0, 0.0, 0.0, 0.0, 0.0], [1.0, 0.5, 0.0, 1.0, 0.5], 5)
def test_the_theorem_gives_the_best_of_all_rankings(
    attraction: list[float], reads_on: list[float], n_positions: int
) -> None:
    most = max(worth(r, attraction, reads_on) for r in permutations(range(5), n_positions))
    found = worth(best_of(attraction, reads_on, n_positions), attraction, reads_on)
    assert found == pytest.approx(most, abs=1e-12)


def test_the_most_attractive_items_are_not_always_the_best() -> None:
    # Nobody reads on past item 0, so it is worth showing only in the last position.
    assert best_of([0.5, 0.4, 0.4], [0.0, 1.0, 1.0], 2) == (1, 0)
    assert best_of([0.5, 0.4, 0.4], [0.0, 0.5, 0.5], 1) == (0,)


def test_the_earlier_item_wins_ties() -> None:
    assert best_of([0.3, 0.3, 0.3], [0.5, 0.5, 0.5], 2) == (0, 1)
