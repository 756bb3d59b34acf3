"""Answers that say why a request was not done; `problems.py` gives each its HTTP status."""

from unirank.errors import UnirankError
from unirank.server.store.database import StoreUnavailable


class NotFound(UnirankError):  # noqa: N818 - an answer, not a fault
    """There is no such page, key or view."""


class Conflict(UnirankError):  # noqa: N818 - an answer, not a fault
    """The request contradicts what is there."""


class NotLoaded(StoreUnavailable):
    """The page is being loaded into memory; the same request can be answered a little later."""
