"""The routes of the service. A handler reads as: parse, one call, answer."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import time
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from unirank.server.api import (
    ClickReport,
    ItemsChange,
    PageSettings,
    RankRequest,
    ShownReport,
)
from unirank.server.problems import HANDLERS
from unirank.server.service import Service

MOST_BYTES = 2**20  # of a body
Handler = Callable[[Request], Awaitable[Response]]


def service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def require(request: Request, scope: str) -> None:
    """Refuse a request whose key may not do this."""
    kind, _, text = request.headers.get("authorization", "").partition(" ")
    key = service_of(request).keys.find(text) if kind.lower() == "bearer" else None
    if key is None:
        raise HTTPException(
            401,
            "send an API key: Authorization: Bearer unirank_...",
            {"WWW-Authenticate": "Bearer"},
        )
    if not key.may(scope):
        raise HTTPException(403, f"this key may {', '.join(sorted(key.scopes))}, not {scope}")


async def body_of(request: Request) -> bytes:
    parts: list[bytes] = []
    n_bytes = 0
    async for part in request.stream():
        n_bytes += len(part)
        if n_bytes > MOST_BYTES:
            raise HTTPException(413, f"a body may have {MOST_BYTES} bytes")
        parts.append(part)
    return b"".join(parts)


def json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


_settings = msgspec.json.Decoder(PageSettings).decode
_change = msgspec.json.Decoder(ItemsChange).decode
_rank = msgspec.json.Decoder(RankRequest).decode
_shown = msgspec.json.Decoder(ShownReport).decode
_clicks = msgspec.json.Decoder(ClickReport | list[ClickReport]).decode


async def put_page(request: Request) -> Response:
    require(request, "admin")
    settings = _settings(await body_of(request))
    answer = await service_of(request).put_page(request.path_params["page"], settings)
    return json(answer, 201 if answer.created else 200)


async def patch_items(request: Request) -> Response:
    require(request, "admin")
    change = _change(await body_of(request))
    return json(await service_of(request).change_items(request.path_params["page"], change))


async def rank(request: Request) -> Response:
    require(request, "rank")
    asked = _rank(await body_of(request) or b"{}")
    return json(await service_of(request).rank(request.path_params["page"], asked))


async def shown(request: Request) -> Response:
    report = _shown(await body_of(request))
    await service_of(request).shown(report.token)
    return Response(status_code=204)


async def clicks(request: Request) -> Response:
    sent = _clicks(await body_of(request))
    reports = sent if isinstance(sent, list) else [sent]
    return json(await service_of(request).clicks(reports), 202)


async def get_pages(request: Request) -> Response:
    require(request, "admin")
    after = request.query_params.get("after", "")
    return json(await service_of(request).summaries(after, 100))


async def get_page(request: Request) -> Response:
    require(request, "admin")
    return json(await service_of(request).summary(request.path_params["page"]))


async def get_series(request: Request) -> Response:
    require(request, "admin")
    query = request.query_params
    end = msgspec.convert(query.get("to", time()), float, strict=False)
    start = msgspec.convert(query.get("from", end - 86400.0), float, strict=False)
    step = msgspec.convert(query.get("step", 3600.0), float, strict=False)
    name = request.path_params["page"]
    return json(await service_of(request).series(name, start, end, step))


async def livez(request: Request) -> Response:
    return Response("alive\n")


async def readyz(request: Request) -> Response:
    service = service_of(request)
    await service._in_thread(service.store.last_number)
    return Response("ready\n")


ROUTES = [
    Route("/v1/pages", get_pages),
    Route("/v1/pages/{page}", put_page, methods=["PUT"]),
    Route("/v1/pages/{page}", get_page),
    Route("/v1/pages/{page}/items", patch_items, methods=["PATCH"]),
    Route("/v1/pages/{page}/rank", rank, methods=["POST"]),
    Route("/v1/pages/{page}/series", get_series),
    Route("/v1/shown", shown, methods=["POST"]),
    Route("/v1/clicks", clicks, methods=["POST"]),
    Route("/livez", livez),
    Route("/readyz", readyz),
]
# A page on another host reports clicks by its token; credentials are never sent along.
CORS = Middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["POST"], max_age=86400)


def make_app(service: Service) -> Starlette:
    """The web application of one service, which it starts and stops."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        service.start()
        yield
        service.stop()

    app = Starlette(
        routes=ROUTES, middleware=[CORS], exception_handlers=dict(HANDLERS), lifespan=lifespan
    )
    app.state.service = service
    return app
