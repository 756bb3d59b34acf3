"""The items of largest value, equal ones in random order, and how likely an order is."""

from collections.abc import Sequence

from unirank.policies.base.round_rng import Draws


def largest(values: Sequence[float], n_positions: int, draws: Draws) -> list[int]:
    """Return the n_positions items of largest value, the largest first.

    Among items of equal value the one with the smaller uniform number comes first; draw i belongs
    to item i.
    """
    order = sorted(range(len(values)), key=lambda item: (-values[item], draws.uniform(item)))
    return order[:n_positions]


def chance_of_order(values: Sequence[float], ranking: Sequence[int]) -> float:
    """Return the probability that `largest` gives this ranking: 1 or 0 where no values tie."""
    chance = 1.0
    left = set(range(len(values)))
    for item in ranking:
        best = max(values[other] for other in left)
        tied = [other for other in left if values[other] == best]
        chance *= (item in tied) / len(tied)
        left.remove(item)
    return chance
