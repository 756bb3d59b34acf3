"""Tokens: the whole view, signed, as a short text that travels with the page and back.

    1 byte    VERSION
    ...       the view, in msgpack
    16        HMAC-SHA256 of all that, cut

in URL-safe base64 without padding. Whoever has the token may report clicks on that view and on no
other: its page, ranking and time are signed.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cache

import msgspec

from unirank.errors import ArgumentError
from unirank.server.view import View

VERSION = b"\x01"
SEAL = 16  # bytes
LONGEST = 64_000  # letters; with a click, it is a report of 64 KiB, which a browser still sends

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(View).decode


def _seal(key: bytes, body: bytes) -> bytes:
    # Not hmac.digest, which lets other threads run meanwhile and then waits for them.
    code = _keyed(key).copy()
    code.update(body)
    return code.digest()[:SEAL]


@cache
def _keyed(key: bytes) -> hmac.HMAC:
    return hmac.new(key, digestmod="sha256")


def sealed(view: View, key: bytes) -> str:
    """Return the token of a view."""
    body = VERSION + _encode(view)
    return urlsafe_b64encode(body + _seal(key, body)).rstrip(b"=").decode()


def unsealed(token: str, key: bytes) -> View:
    """Return the view of a token; an ArgumentError says why a text is no token of ours."""
    try:
        content = urlsafe_b64decode(token.encode("ascii") + b"==")
    except ValueError:  # neither ASCII nor base64
        content = b""
    body, seal = content[:-SEAL], content[-SEAL:]
    genuine = hmac.compare_digest(_seal(key, body), seal)
    # Base64 ignores some changes of the text: only the text that `sealed` writes is a token.
    if not genuine or urlsafe_b64encode(content).rstrip(b"=") != token.encode("ascii"):
        raise ArgumentError("token must be one that this service gave, unchanged")
    if body[:1] != VERSION:
        raise ArgumentError("token must be of this version of the service: ask for a new view")
    try:
        return _decode(body[1:])
    except msgspec.MsgspecError:
        raise ArgumentError("token must be one that this service gave, unchanged") from None
