"""Limits: bytes of a body, requests of a key, clicks of a session."""

from time import monotonic

from unirank.errors import UnirankError

BURST = 2.0  # seconds of requests that may come at once


class TooManyRequests(UnirankError):  # noqa: N818 - an answer, not a fault
    """A key sends more requests than it may."""


class Limits:
    """A bucket per key, which fills by `requests_per_s` and holds BURST seconds of that."""

    def __init__(
        self,
        *,
        requests_per_s: float = 5000.0,
        most_bytes: int = 2**20,
        clicks_per_session: int = 200,
    ) -> None:
        self.requests_per_s, self.most_bytes = requests_per_s, most_bytes
        self.clicks_per_session = clicks_per_session
        self._buckets: dict[str, tuple[float, float]] = {}  # by key: requests left, when

    def count(self, key: str, now: float | None = None) -> None:
        """Count one request, or raise TooManyRequests. Keys are few: the table stays small."""
        now = monotonic() if now is None else now
        most = BURST * self.requests_per_s
        left, last = self._buckets.get(key, (most, now))
        left = min(most, left + (now - last) * self.requests_per_s)
        if left < 1.0:
            raise TooManyRequests(
                f"this key may send {self.requests_per_s:g} requests a second, and sends more: "
                "send again after a second, or start the service with a larger --requests-per-s"
            )
        self._buckets[key] = left - 1.0, now
