"""Which arm a session belongs to: a keyed hash of the session decides, nothing is remembered.

A second, independent part of the hash gives the session a *place* in 0..65,535. Counts are kept by
place, so that all views of a session are counted together (see `counts.py`).
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate
from struct import Struct
from typing import NamedTuple

from unirank import arguments
from unirank.errors import ArgumentError

N_PLACES = 2**16
PREFIX = Struct("<BH")  # arm and place
SIGNATURE = 9  # bytes; prefix and signature make 16 letters


class Assigned(NamedTuple):
    arm: int
    place: int


class Assignment:
    """Arms of sessions by their shares, under a secret key."""

    def __init__(self, key: bytes, shares: Sequence[float]) -> None:
        self.key = key
        self._ends = list(accumulate(shares))[:-1]  # the last arm has the rest

    def of(self, session: object) -> Assigned:
        if not isinstance(session, str | int) or isinstance(session, bool) or session == "":
            raise ArgumentError(f"session must be a text or an integer, got {session!r:.60}")
        digest = blake2b(f"{session}".encode("utf-8", "surrogatepass"), key=self.key).digest()
        chance = int.from_bytes(digest[:7], "little") / 2**56
        place = int.from_bytes(digest[7:9], "little")
        return Assigned(sum(chance >= end for end in self._ends), place)

    def sealed(self, assigned: Assigned, token: str) -> str:
        """A policy's token with the arm and the place before it, signed."""
        head = PREFIX.pack(*assigned)
        return urlsafe_b64encode(head + self._signature(head, token)).decode() + token

    def unsealed(self, text: str, n_arms: int) -> tuple[Assigned, str]:
        """Return what `sealed` put together; refuse what it did not."""
        prefix, token = text[:16], text[16:]
        try:
            content = urlsafe_b64decode(prefix.encode("ascii"))
        except (ValueError, UnicodeEncodeError):
            content = b""
        head, signature = content[: PREFIX.size], content[PREFIX.size :]
        if len(content) != 12 or not hmac.compare_digest(signature, self._signature(head, token)):
            raise ArgumentError(f"token must be one that this split gave, got {text!r:.60}")
        assigned = Assigned(*PREFIX.unpack(head))
        if assigned.arm >= n_arms:
            raise ArgumentError(f"token must name one of {n_arms} arms, got arm {assigned.arm}")
        return assigned, token

    def _signature(self, head: bytes, token: str) -> bytes:
        content = head + token.encode("utf-8", "surrogatepass")
        return blake2b(content, key=self.key, digest_size=SIGNATURE, person=b"token").digest()


def checked_shares(names: Sequence[str], shares: Mapping[str, float] | None) -> list[float]:
    """Return a share for each arm; those left out have equal shares of the rest."""
    given = dict(shares or {})
    for name, share in given.items():
        arguments.choice("arm in shares:", name, names)
        if arguments.positive(f"shares[{name!r}]", share) >= 1:
            raise ArgumentError(f"shares[{name!r}] must be below 1, got {share!r}")
    rest = 1.0 - sum(given.values())
    n_others = len(names) - len(given)
    if (n_others == 0 and abs(rest) > 1e-9) or (n_others and rest <= 1e-9):
        rule = "less than 1, the rest is for the other arms" if n_others else "1"
        raise ArgumentError(f"shares must sum to {rule}, got {sum(given.values()):g}")
    return [given.get(name, rest / max(n_others, 1)) for name in names]
