"""The two requests that come most often, rank and clicks, without what the others need.

A Request, a Response, the search for a route and the middleware of other origins cost more than the
answer itself. The fast lane works on the scope instead, and leaves each check to the Endpoint, as
the long way does (a test compares the two). Whatever is unusual goes the long way: another method,
a key in a cookie, a proxy's prefix.
"""

from time import perf_counter
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send

from unirank.server.answer_counts import count_answer
from unirank.server.api import ClickReport
from unirank.server.endpoints import Endpoint, admit, body_of
from unirank.server.problems import answer_to
from unirank.server.service import Service

CLICKS, PAGES, RANK = "/v1/clicks", "/v1/pages/", "/rank"
JSON = (b"content-type", b"application/json")
ANYWHERE = (b"access-control-allow-origin", b"*")
VARY = (b"vary", b"Origin")

_encode = msgspec.json.Encoder().encode


class FastLane:
    """The application, with a short way for rank and clicks."""

    def __init__(self, app: ASGIApp, service: Service, rank: Endpoint, clicks: Endpoint) -> None:
        self._app, self._service, self._rank, self._clicks = app, service, rank, clicks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or scope.get("root_path"):
            return await self._app(scope, receive, send)
        headers = dict(scope["headers"])
        key, path = headers.get(b"authorization"), scope["path"]
        if path == CLICKS:
            extra = (ANYWHERE, VARY) if b"origin" in headers else (VARY,)
            return await self._answer(self._clicks, "", key, extra, scope, receive, send)
        if path.endswith(RANK) and path.startswith(PAGES) and key is not None:
            page = path[len(PAGES) : -len(RANK)]
            if page and "/" not in page:
                return await self._answer(self._rank, page, key, (), scope, receive, send)
        return await self._app(scope, receive, send)

    async def _answer(
        self,
        endpoint: Endpoint,
        page: str,
        key: bytes | None,
        extra: tuple[tuple[bytes, bytes], ...],
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        began, service = perf_counter(), self._service
        try:
            header = None if key is None else key.decode("latin-1")
            if endpoint.asks_for_key(header):
                admit(service, service.keys.sent(header or ""), endpoint.scope, header or "")
            sent = endpoint.decoded(await body_of(receive, service.limits.most_bytes))
            body = _encode(await self._result(sent, page)) + b"\n"
        except ClientDisconnect:
            return  # nobody waits for an answer
        except Exception as error:
            response = answer_to(error)
            seconds = perf_counter() - began
            count_answer(service.metrics, scope, endpoint.path, response.status_code, seconds)
            response.raw_headers.extend(extra)
            await response(scope, receive, send)
            if response.status_code == 500:
                raise  # to be logged
            return
        seconds = perf_counter() - began
        service.metrics.observe(endpoint.path, endpoint.method, seconds)
        count_answer(service.metrics, scope, endpoint.path, endpoint.status, seconds)
        length = (b"content-length", b"%d" % len(body))
        start = {"type": "http.response.start", "status": endpoint.status}
        await send({**start, "headers": [length, JSON, *extra]})
        await send({"type": "http.response.body", "body": body})

    async def _result(self, sent: Any, page: str) -> Any:
        if page:
            return await self._service.rank(page, sent)
        reports: list[ClickReport] = sent if isinstance(sent, list) else [sent]
        return await self._service.clicks(reports)
