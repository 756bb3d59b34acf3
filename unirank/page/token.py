"""Tokens: a short text that says which list was shown, by which policy, and how to learn from it.

    1 byte      SIGNED, WIDE or both
    8 + 8       the policy's identity and its epoch
    5           the round
    n x 2       the ranking, as item numbers; 4 bytes each if WIDE
    ...         the policy's memory of the round
    16          HMAC-SHA256 of all that, cut; with an empty key unless SIGNED

in URL-safe base64. Whoever has the token can learn from the round; nothing else is needed.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from struct import Struct
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError

SIGNED, WIDE = 1, 2
HEAD = Struct("<BQQIB")
SEAL = 16  # bytes


class Seal(NamedTuple):
    """What one copy of a policy puts into each of its tokens."""

    policy: int
    epoch: int
    key: bytes = b""  # empty: tokens are not signed

    def token(self, number: int, ranking: NDArray[np.int64], memory: bytes) -> str:
        """The token of a round."""
        return sealed(self, number, ranking, memory)

    def without_key(self) -> Self:
        """The seal without what is secret."""
        return self._replace(key=b"")


class Token(NamedTuple):
    policy: int
    epoch: int
    round: int
    ranking: NDArray[np.int64]
    memory: bytes


def sealed(seal: Seal, number: int, ranking: NDArray[np.int64], memory: bytes) -> str:
    """Return the text of a token."""
    wide = ranking.max() >= 2**16
    kind = (SIGNED if seal.key else 0) | (WIDE if wide else 0)
    head = HEAD.pack(kind, seal.policy, seal.epoch, number & 0xFFFFFFFF, number >> 32)
    body = head + ranking.astype("<u4" if wide else "<u2").tobytes() + memory
    return urlsafe_b64encode(body + _signature(seal.key, body)).decode().rstrip("=")


def unsealed(text: str, key: bytes, n_positions: int) -> Token:
    """Return what `sealed` put in; an ArgumentError tells a text that is none of its own."""
    try:
        content = urlsafe_b64decode(text.encode("ascii") + b"==")
    except (ValueError, UnicodeEncodeError):
        content = b""
    body, signature = content[:-SEAL], content[-SEAL:]
    kind = body[0] if body else 0
    width = 4 if kind & WIDE else 2
    start = HEAD.size + width * n_positions
    if len(body) < start or kind > (SIGNED | WIDE):
        raise ArgumentError(f"token must be a text that shown.token gave, got {text!r:.60}")
    if bool(kind & SIGNED) != bool(key):
        raise ArgumentError(
            "token is signed: give the policy the token_key= it was signed with"
            if kind & SIGNED
            else "token must be signed with this policy's token_key, got one without a signature"
        )
    if not hmac.compare_digest(signature, _signature(key, body)):
        raise ArgumentError(
            "token must be signed with this policy's token_key and unchanged, got another signature"
            if key
            else f"token must be unchanged, got {arguments.shown(text)}: its checksum differs"
        )
    _, policy, epoch, low, high = HEAD.unpack_from(body)
    ranking = np.frombuffer(body[HEAD.size : start], f"<u{width}").astype(np.int64)
    return Token(policy, epoch, low + (high << 32), ranking, body[start:])


def _signature(key: bytes, body: bytes) -> bytes:
    return hmac.digest(key, body, "sha256")[:SEAL]
