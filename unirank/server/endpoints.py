"""One request: who may send it, what is in it, and what comes back. The schema is made of this."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive

from unirank.server.answer_counts import ROUTE
from unirank.server.keys import Key, bearer_of
from unirank.server.service import Service
from unirank.server.wrong_values import converted, refusal

COOKIE = "unirank_key"
SAFE = ("GET", "HEAD")
# A page on another host reports clicks by its token; credentials are never sent along.
CORS = Middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["POST"], max_age=86400)
Handler = Callable[[Request, Any], Awaitable[Response]]


@dataclass(frozen=True)
class Endpoint:
    """A route with its types: the body is decoded as `body`, the query as `query`."""

    method: str
    path: str
    handler: Handler
    summary: str
    scope: str = ""  # that the key needs; empty: no key
    key_needed: bool = (
        True  # if not, a request without a key is taken, but not one with a wrong key
    )
    body: Any = None
    optional_body: bool = False
    query: Any = None
    answer: Any = None
    media_type: str = "application/json"
    status: int = 200
    from_anywhere: bool = False  # whether scripts of pages on other hosts may send it
    _decode: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        decoder = None if self.body is None else msgspec.json.Decoder(self.body)
        object.__setattr__(self, "_decode", decoder and decoder.decode)

    async def __call__(self, request: Request) -> Response:
        began = perf_counter()
        service, header = service_of(request), request.headers.get("authorization")
        if self.asks_for_key(header):
            admit(service, key_of(request), self.scope, header or "")
        sent = None
        if self.body is not None:
            sent = self.decoded(await body_of(request.receive, service.limits.most_bytes))
        elif self.query is not None:
            sent = converted(dict(request.query_params), self.query, strict=False)
        response = await self.handler(request, sent)
        service.metrics.observe(self.path, self.method, perf_counter() - began)
        return response

    def asks_for_key(self, header: str | None) -> bool:
        """Return whether a request with this Authorization header needs a key that fits."""
        return bool(self.scope) and (self.key_needed or header is not None)

    def decoded(self, content: bytes) -> Any:
        """Return a body as its type; an error says what is wrong with it."""
        try:
            return self._decode(content or b"{}" if self.optional_body else content)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise refusal(error, self.body, content) from None


def routes(endpoints: Sequence[Endpoint]) -> list[Route]:
    """Make one route per path, so that the answer to a wrong method names all right ones."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for each in endpoints:
        by_path.setdefault(each.path, {})[each.method] = each
    return [_route(path, by_method) for path, by_method in by_path.items()]


def _route(path: str, by_method: dict[str, Endpoint]) -> Route:
    async def handle(request: Request) -> Response:
        request.scope[ROUTE] = path
        method = "GET" if request.method == "HEAD" else request.method
        if method not in by_method:  # an OPTIONS request that no browser sent before another one
            raise HTTPException(405, headers={"Allow": ", ".join(by_method)})
        return await by_method[method](request)

    from_anywhere = any(each.from_anywhere for each in by_method.values())
    methods = [*by_method, "OPTIONS"] if from_anywhere else [*by_method]
    return Route(path, handle, methods=methods, middleware=[CORS] if from_anywhere else [])


def service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def key_of(request: Request) -> Key | None:
    """The key in the header; or in the dashboard's cookie, where no other site can have sent it."""
    keys = service_of(request).keys
    header = request.headers.get("authorization", "")
    if bearer_of(header) is not None:
        return keys.sent(header)
    if request.method in SAFE or request.headers.get("hx-request") == "true":
        return keys.find(request.cookies.get(COOKIE, ""))
    return None


def admit(service: Service, key: Key | None, scope: str, header: str) -> None:
    """Count a request of a key that may do this, within its limit; refuse any other with a reason.

    `header` is what was sent as Authorization.
    """
    if key is None:
        sentence = "there is no such key: it was mistyped or deleted, or another database has it"
        if not header:
            sentence = "send an API key in a header: Authorization: Bearer unirank_..."
        elif bearer_of(header) is None:
            sentence = "the key must follow the word Bearer: Authorization: Bearer unirank_..."
        raise HTTPException(401, sentence, {"WWW-Authenticate": "Bearer"})
    if not key.may(scope):
        raise HTTPException(403, f"this key may {', '.join(sorted(key.scopes))}, not {scope}")
    service.limits.count(key.id)


async def body_of(receive: Receive, most_bytes: int) -> bytes:
    """What was sent; ClientDisconnect if the sender is gone."""
    message = await receive()
    content: bytes = message.get("body", b"")
    while message.get("more_body") and len(content) <= most_bytes:
        message = await receive()
        content += message.get("body", b"")
    if len(content) > most_bytes:
        raise HTTPException(
            413,
            f"the body must have at most {most_bytes} bytes, got {len(content)} or more: send it "
            "in parts, or start the service with a larger --most-bytes",
        )
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return content


def json(value: Any, status: int = 200) -> Response:
    """An answer, with a newline at its end for those who read it in a terminal."""
    content = msgspec.json.encode(value) + b"\n"
    return Response(content, status, media_type="application/json")
