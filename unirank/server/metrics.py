"""What Prometheus reads at /metrics: of this process only."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
MEDIA_TYPE = CONTENT_TYPE_LATEST


class Metrics:
    """The counters of one process, in a registry of its own."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self.seconds = Histogram(
            "unirank_request_seconds",
            "Answered requests, by how long they took.",
            ["path", "method"],
            registry=registry,
            buckets=BUCKETS,
        )
        self.rankings = Counter(
            "unirank_rankings", "Lists given, by arm.", ["arm"], registry=registry
        )
        self.clicks = Counter(
            "unirank_clicks", "Clicks reported, by what became of them.", ["was"], registry=registry
        )
        self.store_errors = Counter(
            "unirank_store_errors", "Times that the database did not answer.", registry=registry
        )

        self._timers: dict[tuple[str, str], Histogram] = {}

    def observe(self, path: str, method: str, seconds: float) -> None:
        """Count an answered request."""
        timer = self._timers.get((path, method))
        if timer is None:
            timer = self._timers[path, method] = self.seconds.labels(path, method)
        timer.observe(seconds)

    def gauge(self, name: str, help_: str, value: Callable[[], float]) -> None:
        """Add a number that is looked up when it is asked for."""
        Gauge(f"unirank_{name}", help_, registry=self._registry).set_function(value)

    def text(self) -> bytes:
        return generate_latest(self._registry)
