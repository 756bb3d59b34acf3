"""What Prometheus reads at /metrics: of this process only."""

from collections.abc import Callable
from typing import get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from unirank.server.impression import Arm

BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
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
        self._answers = Counter(
            "unirank_answers",
            "Answers, by route and status: 4xx were refused, 5xx failed.",
            ["path", "method", "status"],
            registry=registry,
        )
        rankings = Counter("unirank_rankings", "Lists given, by arm.", ["arm"], registry=registry)
        self.rankings = {arm: rankings.labels(arm) for arm in get_args(Arm)}
        self.clicks = Counter(
            "unirank_clicks", "Clicks reported, by what became of them.", ["was"], registry=registry
        )
        self.rejected = Counter(
            "unirank_rejected_reports", "Reports of clicks that were refused.", registry=registry
        )
        self.store_errors = Counter(
            "unirank_store_errors", "Times that the database did not answer.", registry=registry
        )
        self._timers: dict[tuple[str, str], Histogram] = {}
        self._answered: dict[tuple[str, str, int], Counter] = {}

    def observe(self, path: str, method: str, seconds: float) -> None:
        """Count an answered request."""
        timer = self._timers.get((path, method))
        if timer is None:
            timer = self._timers[path, method] = self.seconds.labels(path, method)
        timer.observe(seconds)

    def answered(self, path: str, method: str, status: int) -> None:
        """Count an answer of a route, whatever it says."""
        method = method if method in METHODS else "other"
        counter = self._answered.get((path, method, status))
        if counter is None:
            counter = self._answered[path, method, status] = self._answers.labels(
                path, method, status
            )
        counter.inc()

    def gauge(self, name: str, help_: str, value: Callable[[], float]) -> None:
        """Add a number that is looked up when it is asked for."""
        Gauge(f"unirank_{name}", help_, registry=self._registry).set_function(value)

    def text(self) -> bytes:
        return generate_latest(self._registry)
