"""Every answer is counted and logged, by its route and status; refused and failed requests too.

Labels are few whatever is sent: the route is the pattern of a path, `dashboard`, or `other` for a
path that leads nowhere; an unknown method is `other`.
"""

from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from unirank.server.json_log import log_answer
from unirank.server.metrics import Metrics

ROUTE = "unirank.route"  # in the scope: the label of the route that a request was led to
OTHER = "other"


class AnswerCounts:
    """The application with its answers counted and logged."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, began = 0, perf_counter()

        async def counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, counted)
        except Exception:
            status = status or 500  # which somebody outside answers
            raise
        finally:
            if status:
                route = scope.get(ROUTE, OTHER)
                count_answer(self._metrics, scope, route, status, perf_counter() - began)


def count_answer(metrics: Metrics, scope: Scope, route: str, status: int, seconds: float) -> None:
    """Count an answer by its route and status, and log it."""
    metrics.answered(route, scope["method"], status)
    log_answer(scope, status, seconds)
