"""A matching problem: 2N items of unknown quality, paired up in each round.

    P(pair i, j succeeds) = quality_i * quality_j

By the rearrangement inequality the best matching pairs the best item with the second best, the
third with the fourth, and so on. Draw i * 2N + j of the users' numbers decides the pair i < j.
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import LARGEST_ROUND, USERS, Rng, address, uniform
from unirank.policies.kernels.shuffling import game_order
from unirank.users.base import ClickKernels

MOST_ITEMS = 4096  # each pair has a random number of its own

Pairs = tuple[tuple[int, int], ...]


class Parameters(NamedTuple):
    quality: NDArray[np.float64]  # (n_items,)


@compiled
def draw(
    model: Parameters, action: NDArray[np.int64], rng: Rng, outcomes: NDArray[np.bool_]
) -> None:
    """Successes of the pairs (action[0], action[1]), (action[2], action[3]), ..."""
    quality = model.quality
    for pair in range(action.size // 2):
        first, second = action[2 * pair], action[2 * pair + 1]
        place = min(first, second) * quality.size + max(first, second)
        outcomes[pair] = uniform(rng, place) < quality[first] * quality[second]


@compiled
def value(model: Parameters, action: NDArray[np.int64], expected: NDArray[np.float64]) -> float:
    """Expected number of successes; `expected` is not used."""
    total = 0.0
    for pair in range(action.size // 2):
        total += model.quality[action[2 * pair]] * model.quality[action[2 * pair + 1]]
    return total


class MatchingProblem:
    """Items 0 .. 2N - 1 whose pairs succeed with the product of their qualities.

    Parameters
    ----------
    quality
        In [0, 1], one number per item.

    Examples
    --------
    >>> MatchingProblem([0.9, 0.2, 0.8, 0.1]).best_matching
    ((0, 2), (1, 3))
    """

    name: ClassVar[str] = "matching"
    kernels: ClassVar[ClickKernels] = ClickKernels(draw, value)

    def __init__(self, quality: "ArrayLike") -> None:
        self.quality = arguments.probabilities("quality", quality)
        self.n_items = even_count("len(quality)", len(self.quality))
        self.parameters = Parameters(self.quality)

    @property
    def best_matching(self) -> Pairs:
        """A matching with the largest expected number of successes."""
        order = np.argsort(-self.quality, kind="stable").tolist()
        return tuple(zip(order[::2], order[1::2], strict=True))

    @property
    def best_value(self) -> float:
        """Expected number of successes of the best matching."""
        return self.value(self.best_matching)

    def value(self, pairs: Iterable[Sequence[int]]) -> float:
        """Expected number of successes of a matching."""
        return float(value(self.parameters, self._matching(pairs), np.zeros(0)))

    def draw(
        self, pairs: Iterable[Sequence[int]], *, seed: int, game: int = 0, round: int = 1
    ) -> list[bool]:
        """Whether each pair succeeds in that round of that game of that seed."""
        action = self._matching(pairs)
        outcomes = np.zeros(self.n_items // 2, np.bool_)
        game = arguments.integer("game", game, 0, arguments.LARGEST_SEED)
        round = arguments.integer("round", round, 1, LARGEST_ROUND)
        draw(self.parameters, action, address(arguments.seed(seed), game, USERS, round), outcomes)
        return outcomes.tolist()

    def item_order(self, seed: int, game: int) -> NDArray[np.int64]:
        """Order of the items in one game: the bandit's item n is this problem's order[n]."""
        return game_order(self.n_items, seed, game)

    def shuffled(self, order: NDArray[np.int64]) -> Any:
        """Compiled parameters with items renamed: new item n is old order[n]."""
        return Parameters(self.quality[order])

    def __repr__(self) -> str:
        return f"MatchingProblem(quality={self.quality.tolist()})"

    def _matching(self, pairs: Iterable[Sequence[int]]) -> NDArray[np.int64]:
        items: list[int] = []
        for pair in pairs:
            if len(pair) != 2:
                raise ArgumentError(f"pairs must be pairs of items, got {pair!r}")
            items += [
                arguments.integer("pairs", i, 0, self.n_items - 1, "n_items-1=") for i in pair
            ]
        if sorted(items) != list(range(self.n_items)):
            raise ArgumentError(f"pairs must hold each of {self.n_items} items once, got {items}")
        return np.array(items, np.int64)


def even_count(name: str, value: object) -> int:
    """Return `value` as a number of items that can be paired up."""
    n_items = arguments.integer(name, value, 2, MOST_ITEMS)
    if n_items % 2:
        raise ArgumentError(f"{name} must be even, got {n_items}")
    return n_items
