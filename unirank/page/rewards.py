"""Graded feedback: a reward in [0, 1] is rounded to a click or none, with the reward as its chance.

The expected number of clicks is the reward, so every guarantee for clicks holds for the expected
reward. The random number has an address, (seed, round, item): the same round is rounded the same
way again. Rewards of 0 and 1 are no click and a click, surely.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.kernels.randomness import address, uniform

REWARDS = 3  # the stream of their random numbers, besides those of policies, users and games
SCALE = "divide by the largest reward there can be, and cut what exceeds it"


def checked_rewards(rewards: Any) -> dict[Any, float]:
    """Return the rewards by item id; an ArgumentError says how to scale them."""
    if not isinstance(rewards, Mapping):
        raise ArgumentError(f"rewards must be a dict of item ids and numbers, got {rewards!r:.60}")
    return {item: _checked(item, reward) for item, reward in rewards.items()}


def _checked(item: object, reward: Any) -> float:
    try:
        number = -1.0 if isinstance(reward, bool | str | bytes) else float(reward)
    except (TypeError, ValueError, OverflowError):
        number = -1.0
    if not 0.0 <= number <= 1.0:
        got = f"{arguments.shown(reward)} for {arguments.shown(item)}"
        raise ArgumentError(f"rewards must be in [0, 1]: {SCALE}; got {got}")
    return number


def rounded(rewards: Mapping[int, float], seed: int, round_: int) -> Iterable[int]:
    """Return the numbers of the items whose reward counts as a click in this round."""
    rng = address(seed, 0, REWARDS, round_)
    return [item for item, reward in rewards.items() if uniform(rng, item) < reward]
