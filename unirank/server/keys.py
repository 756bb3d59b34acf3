"""API keys: random, with scopes, kept as hashes only.

A key reads `unirank_ID_SECRET`. The store has the SHA-256 of the secret, which has 256 random bits:
a slow hash would protect nothing. Scopes are `rank`, `click` and `admin`; `admin` may do all.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator
from secrets import token_hex, token_urlsafe
from typing import NamedTuple

from unirank.arguments import shown
from unirank.server.errors import Conflict, NotFound
from unirank.server.store.store import Store

PREFIX = "unirank"
ID = re.compile(r"[0-9a-f]{8}")
LAST_KEY = (
    "is the last that may do everything: make another first, with POST /v1/keys and "
    '"scopes": ["admin"]'
)


class Key(NamedTuple):
    """A key that was checked."""

    id: str
    scopes: frozenset[str]
    note: str
    created_at: float

    def may(self, scope: str) -> bool:
        return scope in self.scopes or "admin" in self.scopes


class Keys:
    """The keys of the service, in memory; `refresh` reads those that other processes made."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, tuple[bytes, Key]] = {}
        self.refresh()

    def refresh(self) -> None:
        self._known = {
            id_: (bytes(hash_), Key(id_, frozenset(scopes.split()), note, created_at))
            for id_, hash_, scopes, note, created_at in self._store.api_keys()
        }

    def create(self, scopes: tuple[str, ...], note: str = "") -> str:
        """Make a key with scopes that `KeyRequest` takes; the returned text is kept nowhere."""
        key = self._added(scopes, note, if_first=False)
        assert key is not None
        return key

    def create_first(self, note: str = "") -> str | None:
        """Make a key that may do everything, if there is no key yet; else return None."""
        return self._added(("admin",), note, if_first=True)

    def _added(self, scopes: tuple[str, ...], note: str, *, if_first: bool) -> str | None:
        id_, secret = token_hex(4), token_urlsafe(32)
        hash_ = _hash(secret)
        added = self._store.add_key(id_, hash_, " ".join(scopes), note, if_first=if_first)
        self.refresh()
        return f"{PREFIX}_{id_}_{secret}" if added else None

    def delete(self, id_: str) -> None:
        """Refuse a key from now on, here, and in other processes within a second.

        NotFound if there is no such key; Conflict if no other key may do everything.
        """
        self.refresh()  # other processes make and delete keys, too
        if [key.id for key in self if key.may("admin")] == [id_]:
            raise Conflict(f"key {id_!r} {LAST_KEY}")
        if not ID.fullmatch(id_) or not self._store.delete_key(id_):
            raise NotFound(f"there is no key {shown(id_, 60)}")
        self.refresh()

    def __iter__(self) -> Iterator[Key]:
        return iter([key for _, key in self._known.values()])

    def sent(self, header: str) -> Key | None:
        """Return the key of a header `Bearer unirank_...`; None if it holds no key of ours."""
        text = bearer_of(header)
        return None if text is None else self.find(text)

    def find(self, text: str) -> Key | None:
        """The key, or None if it is none of ours; takes as long either way."""
        _, _, rest = text.partition("_")
        id_, _, secret = rest.partition("_")
        hash_, key = self._known.get(id_, (b"\0" * 32, None))
        return key if hmac.compare_digest(_hash(secret), hash_) else None


def bearer_of(header: str) -> str | None:
    """Return what follows `Bearer ` in an Authorization header; None if it begins otherwise."""
    kind, space, text = header.partition(" ")
    return text if space and kind.lower() == "bearer" else None


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
