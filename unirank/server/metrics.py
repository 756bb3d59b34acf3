"""What Prometheus reads at /metrics: of this process only.

What is counted in every request are plain numbers, which only the event loop changes: a counter of
prometheus-client takes a lock, and a request counts five times. They become metrics when they are
asked for.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from unirank.server.api import ClickAnswer
from unirank.server.view import Arm

BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
ENDS = (*map(str, BUCKETS), "+Inf")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
MEDIA_TYPE = CONTENT_TYPE_LATEST


class Metrics:
    """The counters of one process, in a registry of its own."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, str, int], int] = {}  # by path, method and status
        self._buckets: dict[tuple[str, str], list[int]] = {}  # by path and method
        self._seconds: dict[tuple[str, str], float] = {}
        self.views: dict[Arm, int] = dict.fromkeys(get_args(Arm), 0)
        self.clicks = {"accepted": 0, "duplicate": 0, "late": 0}
        self.rejected = 0
        self._registry = CollectorRegistry()
        self._registry.register(self)
        self.store_errors = Counter(
            "unirank_store_errors",
            "Times that the database did not answer.",
            registry=self._registry,
        )

    def observe(self, path: str, method: str, seconds: float) -> None:
        """Count an answered request."""
        route = path, method
        buckets = self._buckets.get(route)
        if buckets is None:
            buckets = self._buckets[route] = [0] * len(ENDS)
            self._seconds[route] = 0.0
        buckets[bisect_left(BUCKETS, seconds)] += 1
        self._seconds[route] += seconds

    def answered(self, path: str, method: str, status: int) -> None:
        """Count an answer of a route, whatever it says."""
        answer = path, method if method in METHODS else "other", status
        self._answers[answer] = self._answers.get(answer, 0) + 1

    def reported(self, answer: ClickAnswer) -> None:
        """Count what became of reported clicks."""
        for was in self.clicks:
            self.clicks[was] += getattr(answer, was)
        self.rejected += len(answer.rejected)

    def gauge(self, name: str, help_: str, value: Callable[[], float]) -> None:
        """Add a number that is looked up when it is asked for."""
        Gauge(f"unirank_{name}", help_, registry=self._registry).set_function(value)

    def collect(self) -> Iterator[Metric]:
        """The plain numbers as metrics; the registry asks for them."""
        seconds = HistogramMetricFamily(
            "unirank_request_seconds",
            "Answered requests, by how long they took.",
            labels=["path", "method"],
        )
        for route, buckets in list(self._buckets.items()):
            ends = list(zip(ENDS, accumulate(buckets), strict=True))
            seconds.add_metric(route, ends, self._seconds[route])
        yield seconds
        answers = CounterMetricFamily(
            "unirank_answers",
            "Answers, by route and status: 4xx were refused, 5xx failed.",
            labels=["path", "method", "status"],
        )
        for (path, method, status), n in list(self._answers.items()):
            answers.add_metric([path, method, str(status)], n)
        yield answers
        views = CounterMetricFamily("unirank_rankings", "Views given, by arm.", labels=["arm"])
        for arm, n in self.views.items():
            views.add_metric([arm], n)
        yield views
        clicks = CounterMetricFamily(
            "unirank_clicks", "Clicks reported, by what became of them.", labels=["was"]
        )
        for was, n in self.clicks.items():
            clicks.add_metric([was], n)
        yield clicks
        yield CounterMetricFamily(
            "unirank_rejected_reports", "Reports of clicks that were refused.", self.rejected
        )

    def text(self) -> bytes:
        return generate_latest(self._registry)
