"""The routes of the service. A handler reads as: parse, one call, answer."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from threading import Timer
from time import time
from typing import Annotated, Any

from msgspec import Meta
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from unirank.server.answer_counts import AnswerCounts
from unirank.server.api import (
    MOST_REPORTS,
    ClickAnswer,
    ClickReport,
    ExportQuery,
    ItemsChange,
    KeyRequest,
    KnownKey,
    NewKey,
    NoQuery,
    PageAnswer,
    PageList,
    PageRequest,
    PagesQuery,
    PageSummary,
    RankAnswer,
    RankRequest,
    Rebuild,
    RebuildAnswer,
    Series,
    SeriesQuery,
    ShownReport,
)
from unirank.server.dashboard.routes import ROUTES as DASHBOARD
from unirank.server.endpoints import Endpoint, json, routes, service_of
from unirank.server.exports import FORMATS
from unirank.server.fast_lane import FastLane
from unirank.server.metrics import MEDIA_TYPE
from unirank.server.openapi import openapi
from unirank.server.problems import HANDLERS
from unirank.server.service import Service

log = logging.getLogger("unirank.server")
DAY = 86400.0
LONGEST_STOP = 2.5  # seconds, after requests had 2 to end
Reports = ClickReport | Annotated[list[ClickReport], Meta(max_length=MOST_REPORTS)]


async def put_page(request: Request, sent: PageRequest) -> Response:
    answer = await service_of(request).put_page(request.path_params["page"], sent)
    return json(answer)


async def patch_items(request: Request, change: ItemsChange) -> Response:
    return json(await service_of(request).change_items(request.path_params["page"], change))


async def delete_page(request: Request, _: None) -> Response:
    await service_of(request).delete_page(request.path_params["page"])
    return Response(status_code=204)


async def rank(request: Request, asked: RankRequest) -> Response:
    return json(await service_of(request).rank(request.path_params["page"], asked))


async def shown(request: Request, report: ShownReport) -> Response:
    await service_of(request).shown(report.token)
    return Response(status_code=204)


async def clicks(request: Request, sent: ClickReport | list[ClickReport]) -> Response:
    reports = sent if isinstance(sent, list) else [sent]
    return json(await service_of(request).clicks(reports), 202)


async def get_pages(request: Request, query: PagesQuery) -> Response:
    return json(await service_of(request).summaries(query.after, query.most))


async def get_page(request: Request, _: NoQuery) -> Response:
    return json(await service_of(request).summary(request.path_params["page"]))


async def get_series(request: Request, query: SeriesQuery) -> Response:
    end = time() if query.to is None else query.to
    start = end - DAY if query.from_ is None else query.from_
    name = request.path_params["page"]
    return json(await service_of(request).series(name, start, end, query.step))


async def rebuild(request: Request, asked: Rebuild) -> Response:
    return json(await service_of(request).rebuild(request.path_params["page"], asked), 202)


async def export(request: Request, query: ExportQuery) -> Response:
    content, cursor = await service_of(request).export(query.format, query.after, query.most)
    headers = {"Unirank-Cursor": str(cursor)}
    return Response(content, headers=headers, media_type=FORMATS[query.format][1])


async def post_key(request: Request, asked: KeyRequest) -> Response:
    return json(await service_of(request).create_key(asked))


async def get_keys(request: Request, _: NoQuery) -> Response:
    return json(service_of(request).known_keys())


async def delete_key(request: Request, _: None) -> Response:
    await service_of(request).delete_key(request.path_params["key"])
    return Response(status_code=204)


async def livez(request: Request, _: None) -> Response:
    return Response("alive\n", media_type="text/plain")


async def readyz(request: Request, _: None) -> Response:
    await service_of(request).check_store()
    return Response("ready\n", media_type="text/plain")


async def metrics(request: Request, _: None) -> Response:
    return Response(service_of(request).metrics.text(), media_type=MEDIA_TYPE)


async def get_openapi(request: Request, _: None) -> Response:
    return json(DOCUMENT)


PAGE = "/v1/pages/{page}"
ENDPOINTS = [
    Endpoint(
        "PUT",
        PAGE,
        put_page,
        "Make a page, or change its window, holdout, start and mode",
        scope="admin",
        body=PageRequest,
        answer=PageAnswer,
    ),
    Endpoint(
        "DELETE",
        PAGE,
        delete_page,
        "Delete a page: its tokens are refused, its log stays in the export",
        scope="admin",
        status=204,
    ),
    Endpoint(
        "PATCH",
        f"{PAGE}/items",
        patch_items,
        "Add and remove items",
        scope="admin",
        body=ItemsChange,
        answer=PageSummary,
    ),
    Endpoint(
        "POST",
        f"{PAGE}/rank",
        rank,
        "Choose what to show to one visitor",
        scope="rank",
        body=RankRequest,
        optional_body=True,
        answer=RankAnswer,
    ),
    Endpoint(
        "POST",
        "/v1/shown",
        shown,
        "Count a deferred view from now on: it is shown",
        scope="click",
        key_needed=False,
        body=ShownReport,
        from_anywhere=True,
        status=204,
    ),
    Endpoint(
        "POST",
        "/v1/clicks",
        clicks,
        "Report clicks; they are on disk when this answers",
        scope="click",
        key_needed=False,
        body=Reports,
        from_anywhere=True,
        answer=ClickAnswer,
        status=202,
    ),
    Endpoint(
        "GET",
        "/v1/pages",
        get_pages,
        "Where the pages stand",
        scope="admin",
        query=PagesQuery,
        answer=PageList,
    ),
    Endpoint(
        "GET",
        PAGE,
        get_page,
        "Where a page stands",
        scope="admin",
        query=NoQuery,
        answer=PageSummary,
    ),
    Endpoint(
        "GET",
        f"{PAGE}/series",
        get_series,
        "Views and clicks over time",
        scope="admin",
        query=SeriesQuery,
        answer=Series,
    ),
    Endpoint(
        "POST",
        f"{PAGE}/rebuild",
        rebuild,
        "Learn again from the log, without what a robot did",
        scope="admin",
        body=Rebuild,
        answer=RebuildAnswer,
        status=202,
    ),
    Endpoint(
        "GET",
        "/v1/export",
        export,
        "The log after a cursor; the header Unirank-Cursor says where to go on",
        scope="admin",
        query=ExportQuery,
        media_type="*/*",
    ),
    Endpoint(
        "POST",
        "/v1/keys",
        post_key,
        "Make a key; it is shown once",
        scope="admin",
        body=KeyRequest,
        answer=NewKey,
    ),
    Endpoint(
        "GET",
        "/v1/keys",
        get_keys,
        "The keys",
        scope="admin",
        query=NoQuery,
        answer=list[KnownKey],
    ),
    Endpoint(
        "DELETE",
        "/v1/keys/{key}",
        delete_key,
        "Refuse a key from now on",
        scope="admin",
        status=204,
    ),
    Endpoint("GET", "/livez", livez, "Whether the process lives", media_type="text/plain"),
    Endpoint(
        "GET", "/readyz", readyz, "Whether the database can be written", media_type="text/plain"
    ),
    Endpoint("GET", "/metrics", metrics, "Numbers for Prometheus", media_type="text/plain"),
    Endpoint("GET", "/openapi.json", get_openapi, "This document"),
]
BY_NAME = {each.handler.__name__: each for each in ENDPOINTS}
DOCUMENT = openapi(ENDPOINTS)
ROUTES = [*routes(ENDPOINTS), *DASHBOARD]


def give_up(service: Service) -> None:
    """End the process, which has waited long enough for its database."""
    log.error("the database does not answer: the service ends without snapshots of its pages")
    os._exit(1 if service.writer.n_behind else 0)  # what is lost; snapshots are in the log


def make_app(
    service: Service, *beside: Callable[[Service], Coroutine[Any, Any, None]]
) -> Starlette:
    """The web application of one service, which it starts and stops; `beside` run meanwhile."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        service.start()
        tasks = [asyncio.create_task(run(service)) for run in beside]
        yield
        for task in tasks:
            task.cancel()
        at_last = Timer(LONGEST_STOP, give_up, [service])
        at_last.daemon = True
        at_last.start()
        service.stop()
        at_last.cancel()

    app = Starlette(
        routes=ROUTES,
        exception_handlers=dict(HANDLERS),
        middleware=[
            Middleware(FastLane, service, BY_NAME["rank"], BY_NAME["clicks"]),
            Middleware(AnswerCounts, service.metrics),
        ],
        lifespan=lifespan,
    )
    app.state.service = service
    return app
