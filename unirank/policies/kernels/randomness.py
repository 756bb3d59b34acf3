"""Addressed randomness: every random number is a pure function of where it is used.

    number = Squares(key = hash(seed, game, stream), counter = (round, draw))

Widynski, "Squares: A Fast Counter-Based RNG", 2020 (the 64-bit, five-round variant). There is no
generator to advance, so any round can be skipped, replayed or run on another core and every other
number stays what it was. Policies and users read separate streams: the same users meet every
policy.
"""

from typing import NamedTuple

import numpy as np

from unirank.policies.kernels.compiling import compiled

POLICY, USERS, GAME = 0, 1, 2  # streams: the policy's draws, the users' clicks, the game's set-up
RESAMPLING = 3  # a policy's draws of what it might have shown

DRAW_BITS = 24  # a counter is round * 2**24 + draw
LARGEST_ROUND = 2 ** (64 - DRAW_BITS) - 1
MOST_ITEMS = 2 ** (DRAW_BITS - 1)  # a user has two draws per item

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


class Rng(NamedTuple):
    """The random numbers of one round of one stream of one game; ask for one by its draw."""

    key: np.uint64
    base: np.uint64


@compiled
def mixed(bits: np.uint64) -> np.uint64:
    """Scramble 64 bits one to one: the finaliser of SplitMix64."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def stream_key(seed: int, game: int, stream: int) -> np.uint64:
    """Key of one stream of one game, an odd number; in plain Python, because kernels get it."""
    key = 0
    for part in (seed, game, stream):  # each time `mixed` of (key ^ part) + GOLDEN
        key = ((key ^ part) + int(GOLDEN)) % 2**64
        key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        key = (key ^ (key >> 27)) * 0x94D049BB133111EB % 2**64
        key ^= key >> 31
    return np.uint64(key | 1)


def address(seed: int, game: int, stream: int, round_: int) -> Rng:
    """The random numbers of one round, for callers in plain Python."""
    # Kept as numpy integers: a Python one above 2**63 has no type that numba could tell in advance.
    return Rng(stream_key(seed, game, stream), np.uint64(round_ << DRAW_BITS))


@compiled
def at_round(key: np.uint64, round_: int) -> Rng:
    """Like `address`, for kernels."""
    return Rng(key, np.uint64(round_) << np.uint64(DRAW_BITS))


@compiled
def squares(counter: np.uint64, key: np.uint64) -> np.uint64:
    """64 random bits: five rounds of squaring and swapping halves."""
    y = counter * key
    z = y + key
    x = y * y + y
    x = (x >> _HALF) | (x << _HALF)
    x = x * x + z
    x = (x >> _HALF) | (x << _HALF)
    x = x * x + y
    x = (x >> _HALF) | (x << _HALF)
    t = x * x + z
    x = (t >> _HALF) | (t << _HALF)
    return t ^ ((x * x + y) >> _HALF)


@compiled
def random_bits(rng: Rng, draw: int) -> np.uint64:
    """64 random bits."""
    return squares(rng.base + np.uint64(draw), rng.key)


@compiled
def uniform(rng: Rng, draw: int) -> float:
    """Uniform double in [0, 1), a multiple of 2**-53."""
    return np.float64(random_bits(rng, draw) >> np.uint64(11)) * 2.0**-53


@compiled
def inner_uniform(bits: np.uint64) -> float:
    """Uniform double inside (0, 1), an odd multiple of 2**-53: neither end, whose log is needed."""
    return (np.float64(bits >> np.uint64(12)) + 0.5) * 2.0**-52


@compiled
def below(rng: Rng, draw: int, n: int) -> int:
    """Uniform integer in 0..n-1, exactly: Lemire's multiplication, with rejection (n < 2**32).

    The rare rejected number becomes the counter of its successor, so no other address is read.
    """
    size = np.uint64(n)
    bits = random_bits(rng, draw)
    product = (bits >> _HALF) * size
    if (product & _LOW) < size:
        biased = (np.uint64(2**32) - size) % size
        while (product & _LOW) < biased:
            bits = squares(bits, rng.key)
            product = (bits >> _HALF) * size
    return np.int64(product >> _HALF)  # type: ignore[return-value]
