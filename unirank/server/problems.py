"""Errors as problem documents (RFC 9457): one sentence each."""

import logging
from difflib import get_close_matches
from itertools import zip_longest

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from unirank.arguments import LONGEST, shown
from unirank.errors import ArgumentError, MissingExtraError
from unirank.server.api import Problem
from unirank.server.errors import Conflict, NotFound, NotLoaded
from unirank.server.json_log import Seldom
from unirank.server.limits import TooManyRequests
from unirank.server.store.database import StoreUnavailable

TITLES = {
    400: "The request cannot be read",
    401: "A key is needed",
    403: "The key may not do this",
    404: "Not found",
    405: "Not allowed here",
    409: "It contradicts what is there",
    413: "Too large",
    422: "A value breaks a rule",
    429: "Too many requests",
    500: "The service has a fault",
    501: "Not installed here",
    503: "Try again later",
}
RETRY_AFTER = "1"  # seconds
UNAVAILABLE = (
    "the database does not answer or cannot write now: send the request again after a second; "
    "the log of the service says more"
)

log = logging.getLogger("unirank.server")
unavailable = Seldom(10.0)


def problem(status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    """A problem document."""
    title = TITLES.get(status, "Error")
    body = (
        msgspec.json.encode(Problem("about:blank", title, status, " ".join(detail.split()))) + b"\n"
    )
    extra = {"Retry-After": RETRY_AFTER} if status in (429, 503) else {}
    return Response(
        body, status, {**extra, **(headers or {})}, media_type="application/problem+json"
    )


def on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers, detail = dict(error.headers or {}), str(error.detail)
    if error.status_code == 405 and "Allow" in headers:
        detail = f"this address takes only {', '.join(sorted(headers['Allow'].split(', ')))}"
    elif error.status_code == 404:
        detail = no_address(request)
    return problem(error.status_code, detail, headers)


def no_address(request: Request) -> str:
    """Say that there is no such address, and name the nearest one."""
    path = request.url.path
    if b"%2f" in request.scope.get("raw_path", b"").lower():
        return f"there is no address {shown(path)}: a name has no /, not even as %2F"
    routes = (route.path for route in request.app.routes if isinstance(route, Route))
    known = [filled(route, path) for route in routes] if len(path) <= LONGEST else []
    near = get_close_matches(path, known, n=1, cutoff=0.8)
    hint = f"did you mean {near[0]}? " if near else ""
    return f"there is no address {shown(path)}; {hint}/openapi.json has them all"


def filled(route: str, path: str) -> str:
    """Fill the gaps of a route such as /v1/pages/{page} with the parts of a path."""
    known, sent = route.split("/"), path.split("/")
    parts = zip_longest(known, sent[: len(known)], fillvalue="")
    return "/".join(there if gap.startswith("{") else gap for gap, there in parts)


def on_unreadable(request: Request, error: Exception) -> Response:
    return problem(400, f"the body must be JSON: {error}")


def on_invalid(request: Request, error: Exception) -> Response:
    return problem(422, str(error))


def on_missing(request: Request, error: Exception) -> Response:
    return problem(501, str(error))


def on_not_found(request: Request, error: Exception) -> Response:
    return problem(404, str(error))


def on_conflict(request: Request, error: Exception) -> Response:
    return problem(409, str(error))


def on_unavailable(request: Request, error: Exception) -> Response:
    """Log the cause; it can name the host and user of the database, so the answer does not."""
    if unavailable.is_due():
        log.warning("answered 503: %s", error)
    return problem(503, UNAVAILABLE)


def on_not_loaded(request: Request, error: Exception) -> Response:
    return problem(503, str(error))


def on_too_many(request: Request, error: Exception) -> Response:
    return problem(429, str(error))


def on_fault(request: Request, error: Exception) -> Response:
    return problem(500, "the service has a fault, which it has logged")


_NOBODY = Request({"type": "http"})  # no handler looks at it
HANDLERS = {
    HTTPException: on_http_error,
    msgspec.ValidationError: on_invalid,  # before its parent, DecodeError
    msgspec.DecodeError: on_unreadable,
    ArgumentError: on_invalid,
    NotFound: on_not_found,
    Conflict: on_conflict,
    NotLoaded: on_not_loaded,  # before its parent
    StoreUnavailable: on_unavailable,
    TooManyRequests: on_too_many,
    MissingExtraError: on_missing,
    Exception: on_fault,
}


def answer_to(error: Exception) -> Response:
    """The problem document of any error."""
    handler = next(HANDLERS[kind] for kind in type(error).__mro__ if kind in HANDLERS)
    return handler(_NOBODY, error)
