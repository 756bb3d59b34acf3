"""A ranking as a policy gives it: item ids in order, with the number of the round."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError


class Seal(Protocol):
    """How a ranking makes its token; the `Rounds` of a policy put one into each ranking."""

    def token(self, number: int, ranking: NDArray[np.int64], memory: bytes) -> str:
        """The token of a round."""

    def without_key(self) -> Self:
        """The seal without what is secret."""


class Given:
    """The origin of a ranking, in slots that are no fields: equality ignores them."""

    __slots__ = ("_error", "_given")
    _given: tuple[Any, bytes, bytes]  # the Seal of the rounds or None, item numbers, memory
    _error: float  # of the propensity, where it is an estimate


@dataclass(frozen=True, slots=True)
class Ranking(Given):
    """The ranking of one round: items in the order of the page. It works like a tuple of item ids.

    Parameters
    ----------
    items
        Ids of the items to show, in the order of the page.
    round
        The number of the round.
    propensity
        The probability of this ranking, given what the policy had learnt before the round;
        NaN where a policy cannot tell.
    """

    items: tuple[int | str, ...]
    round: int
    propensity: float

    @property
    def propensity_error(self) -> float:
        """Root mean squared error of `propensity`: 0 where it is exact, NaN where it is NaN."""
        return getattr(self, "_error", 0.0 * self.propensity)

    @property
    def token(self) -> str:
        """A short text to send along with the page: `policy.update(token, clicks=...)` takes it.

        Any copy of the policy, in any process, can learn from it, but only once.
        """
        seal, ranking, memory = self._origin()
        if seal is None:
            raise ArgumentError("a ranking has a token only as rank() gave it")
        return seal.token(self.round, np.frombuffer(ranking, np.int64), memory)

    @property
    def memory(self) -> bytes:
        """What the policy needs of this round, for `policy.learn(items, memory, clicks)`."""
        return self._origin()[2]

    def _origin(self) -> tuple[Seal, bytes, bytes]:
        try:
            return self._given
        except AttributeError:
            raise ArgumentError("a ranking has a token only as rank() gave it") from None

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[int | str]:
        return iter(self.items)

    def __getitem__(self, position: int) -> int | str:
        return self.items[position]

    def __reduce__(self) -> tuple[Any, ...]:
        fields = self.items, self.round, self.propensity
        if not hasattr(self, "_given"):
            return Ranking, fields
        seal, ranking, memory = self._given
        given = seal and seal.without_key(), ranking, memory
        return given_ranking, (*fields, given, getattr(self, "_error", None))


def given_ranking(
    items: tuple[int | str, ...],
    number: int,
    propensity: float,
    given: tuple[Seal | None, bytes, bytes],
    error: float | None = None,
) -> Ranking:
    """Make a ranking with its origin: seal, item numbers and memory."""
    shown = Ranking(items, number, propensity)
    object.__setattr__(shown, "_given", given)
    if error is not None:
        object.__setattr__(shown, "_error", error)
    return shown
