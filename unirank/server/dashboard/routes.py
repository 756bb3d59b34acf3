"""The routes of the dashboard. A handler reads as: parse, one call, answer."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from time import time
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from unirank.errors import UnirankError
from unirank.server.answer_counts import ROUTE
from unirank.server.api import (
    HoldoutOrder,
    HoldoutRequest,
    ItemsChange,
    Mode,
    PageRequest,
    PageSummary,
    Rebuild,
    Without,
)
from unirank.server.dashboard.chart import SPANS, fewest_views, fitted, lift_over, rates_of, whole
from unirank.server.dashboard.formats import many
from unirank.server.dashboard.page_values import page_view
from unirank.server.dashboard.rendering import HERE, rendered
from unirank.server.dashboard.sign_in import form_of, get_form, post_form, sign_out, signed_in
from unirank.server.dashboard.standing import STATES, State, lift_in_words, state_of
from unirank.server.endpoints import json, service_of
from unirank.server.errors import NotFound, NotLoaded
from unirank.server.history import Moment
from unirank.server.lift import lift_of
from unirank.server.store.database import StoreUnavailable
from unirank.server.view import ItemId
from unirank.server.wrong_values import converted

STATIC = HERE / "static"
PAGES_AT_ONCE = 50
STATUS = {NotFound: 404, NotLoaded: 503, StoreUnavailable: 503}
MODE_STATES: dict[str, State] = {"learn": "trying", "frozen": "frozen", "observe": "observing"}
Handler = Callable[[Request], Awaitable[Response]]


class HoldoutForm(msgspec.Struct):
    """The holdout as its form sends it."""

    percent: Annotated[float, msgspec.Meta(ge=0.0, le=50.0)]
    order: HoldoutOrder


class ModeForm(msgspec.Struct):
    """The mode as its form sends it."""

    mode: Mode


def readable(handler: Handler) -> Handler:
    """Say what is wrong on a page for people; a script gets the problem document."""

    async def handle(request: Request) -> Response:
        request.scope[ROUTE] = "dashboard"
        try:
            return await handler(request)
        except UnirankError as error:
            if request.headers.get("hx-request") == "true":
                raise
            return rendered("error.html", STATUS.get(type(error), 422), error=error)

    return handle


async def get_pages(request: Request) -> Response:
    after = request.query_params.get("after", "")
    found = await service_of(request).summaries(after, PAGES_AT_ONCE)
    rows = [(page, state_of(page), lift_in_words(page)) for page in found.pages]
    address = str(request.base_url).rstrip("/")
    return rendered(
        "pages.html", rows=rows, states=STATES, after=after, found=found, address=address
    )


async def get_page(request: Request) -> Response:
    return await page_of(request)


async def page_of(request: Request, done: str = "", by: str = "") -> Response:
    """The page, and what was just done to it by one of its forms."""
    view = await page_view(service_of(request), request.path_params["page"])
    return rendered("page.html", done=done, done_by=by, **view)


async def get_chart(request: Request) -> Response:
    service, name = service_of(request), request.path_params["page"]
    page, now = await service.page(name), time()
    tallies = await service.tallies(page)
    moments = list(page.learner.moments)
    begun = moments[0].at
    lift = lift_of(tallies.compared.arms, page.serving.settings.n_positions)
    moments.append(Moment(page.learner.views, now, [], (lift.value, lift.low, lift.high)))
    start = max(begun, now - SPANS.get(request.query_params.get("span", ""), now))
    views = fewest_views((arm, n_views) for arm, (n_views, _) in tallies.totals.items())
    guess = int(views * (now - start) / (now - begun))
    series = await fitted(partial(service.series, name), start, now, guess)
    points = whole(series.points, series.step, begun, now)
    charts = {
        "rates": rates_of(points, series.step, tallies.compared.arms),
        "lift": lift_over(moments, start),
    }
    return json(charts)


async def post_items(request: Request) -> Response:
    form = await form_of(request)
    service, name = service_of(request), request.path_params["page"]
    items = (await service.page(name)).serving.policy.items
    added = [item_of(text, items) for text in form.get("add", ())]
    removed = [item_of(text, items) for text in form.get("remove", ())]
    change = converted({"add": added, "remove": removed}, ItemsChange)
    await service.change_items(name, change)
    done = [f"{item} is added." for item in added] + [f"{item} is removed." for item in removed]
    return await page_of(request, " ".join(done), "items")


def item_of(text: str, items: Sequence[ItemId]) -> ItemId:
    """The item that somebody wrote; a number on a page whose items are numbers."""
    text = text.strip()
    known = {str(item): item for item in items}
    if text not in known and all(isinstance(item, int) for item in items) and text.isdecimal():
        return int(text)
    return known.get(text, text)


async def post_mode(request: Request) -> Response:
    form = await form_of(request)
    service, name = service_of(request), request.path_params["page"]
    asked = converted({"mode": form.get("mode", [""])[0]}, ModeForm)
    await service.page(name)  # a form makes no page
    await service.put_page(name, PageRequest(mode=asked.mode))
    return await page_of(request, STATES[MODE_STATES[asked.mode]][1], "mode")


async def post_holdout(request: Request) -> Response:
    form = await form_of(request)
    service, name = service_of(request), request.path_params["page"]
    before = await service.summary(name, explain=False)
    sent = {field: form[field][0] for field in ("percent", "order") if field in form}
    asked = converted(sent, HoldoutForm, strict=False)
    holdout = HoldoutRequest(asked.percent / 100, asked.order)
    await service.put_page(name, PageRequest(holdout=holdout))
    done = holdout_words(await service.summary(name, explain=False), before)
    return await page_of(request, done, "holdout")


def holdout_words(page: PageSummary, before: PageSummary) -> str:
    """Say what a new holdout did to the comparison, of a page as it was before and is now."""
    if page.settings.holdout == before.settings.holdout:
        return "The holdout is as it was."
    if not page.settings.holdout.share:
        return "There is no holdout now: the lift is not measured."
    n_compared = sum(counts.views for counts in page.lift.arms.values())
    if n_compared > page.views - before.views:  # more than have come since
        return (
            "The holdout is as it was once before: the comparison of then goes on, with its "
            f"{many(n_compared, 'view')}."
        )
    return "The holdout is changed; the comparison begins anew."


async def post_rebuild(request: Request) -> Response:
    form = await form_of(request)
    without: dict[str, Any] = {
        end: form[end][0] for end in ("from", "to") if form.get(end, [""])[0]
    }
    without |= {"sessions": form["session"]} if "session" in form else {}
    service, name = service_of(request), request.path_params["page"]
    more = converted(without, Without, strict=False)
    answer = await service.rebuild(name, Rebuild(more), more="back" not in form)
    done = f"The page learns again from its log. Left out: {many(answer.left_out, 'view')}."
    return await page_of(request, done, "rebuild")


async def post_delete(request: Request) -> Response:
    await service_of(request).delete_page(request.path_params["page"])
    return Response(status_code=204, headers={"HX-Redirect": "/"})


async def get_script(request: Request) -> Response:
    """`unirank.js`, which a shop's page loads."""
    headers = {
        "Cache-Control": "public, max-age=3600",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return FileResponse(STATIC / "unirank.js", headers=headers, media_type="text/javascript")


def route(path: str, handler: Handler, method: str = "GET") -> Route:
    return Route(path, readable(signed_in(handler)), methods=[method], name=handler.__name__)


PAGE = "/pages/{page}"
ROUTES: list[BaseRoute] = [
    route("/", get_pages),
    route(PAGE, get_page),
    route(f"{PAGE}/chart", get_chart),
    route(f"{PAGE}/items", post_items, "POST"),
    route(f"{PAGE}/mode", post_mode, "POST"),
    route(f"{PAGE}/holdout", post_holdout, "POST"),
    route(f"{PAGE}/rebuild", post_rebuild, "POST"),
    route(f"{PAGE}/delete", post_delete, "POST"),
    Route("/login", get_form),
    Route("/login", post_form, methods=["POST"]),
    Route("/logout", sign_out, methods=["POST"]),
    Route("/unirank.js", get_script),
    Mount("/static", StaticFiles(directory=STATIC)),
]
