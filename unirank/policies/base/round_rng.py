"""The random generator that a plain policy is given: numpy's, at an address.

Its numbers depend on (seed, game, round) only, so a round can be played again, in any order and on
any core, with the same numbers.
"""

import numpy as np

from unirank.policies.kernels.randomness import (
    Rng,
    below,
    inner_uniform,
    random_bits,
    squares,
    uniform,
)


class Draws:
    """Single random numbers of a round by their number: those that compiled kernels read."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    @property
    def address(self) -> Rng:
        """Where the numbers of the round are, for compiled kernels."""
        return self._rng

    def uniform(self, draw: int) -> float:
        """Return a number of [0, 1)."""
        return float(uniform(self._rng, draw))

    def below(self, draw: int, n: int) -> int:
        """Return an integer of 0..n-1, each exactly as likely."""
        return int(below(self._rng, draw, n))

    def bits(self, draw: int) -> np.uint64:
        """Return 64 random bits."""
        return np.uint64(random_bits(self._rng, draw))

    def inner(self, bits: np.uint64) -> float:
        """Return a number inside (0, 1) made of these bits."""
        return float(inner_uniform(bits))

    def after(self, bits: np.uint64) -> np.uint64:
        """Return the bits that follow these in a chain."""
        return np.uint64(squares(bits, self._rng.key))

    def of_game(self) -> "Draws":
        """Return the numbers of round 0: for what is drawn once for a game."""
        return Draws(Rng(self._rng.key, np.uint64(0)))


class RoundRng(np.random.Generator):
    """numpy's random generator for one round of a plain policy.

    Use it like any `numpy.random.Generator`. The editions of `unirank.papers` read `draws` instead:
    numbers with fixed places in the round, which the compiled editions read, too.
    """

    draws: Draws

    def __init__(self) -> None:
        self._philox = np.random.Philox(key=0)
        self._state = self._philox.state
        super().__init__(self._philox)

    def at(self, rng: Rng) -> "RoundRng":
        """Move to the first number of another round; a tenth of the time that a new one takes."""
        self._state["state"]["key"][0] = rng.key
        self._state["state"]["counter"][:] = (0, rng.base, 0, 0)
        self._state["buffer_pos"] = 4  # nothing of the last round is left in the buffer
        self._state["has_uint32"] = 0
        self._philox.state = self._state
        self.draws = Draws(rng)
        return self
