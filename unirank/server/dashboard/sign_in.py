"""Signing in: a form takes an API key of scope `admin` and keeps it in a cookie.

The cookie is HttpOnly, so no script reads it, and SameSite=Strict, so no other site sends it; a
request that changes something needs the header HX-Request too, which no form of another site has.
"""

from collections.abc import Awaitable, Callable
from urllib.parse import parse_qs, quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from unirank.server.dashboard.rendering import rendered
from unirank.server.endpoints import COOKIE, admit, body_of, key_of, service_of

Handler = Callable[[Request], Awaitable[Response]]
MOST_BYTES = 2**16  # of a form


async def form_of(request: Request) -> dict[str, list[str]]:
    """The fields of a form, each with its values."""
    content = await body_of(request.receive, MOST_BYTES)
    return parse_qs(content.decode("utf-8", "replace"), keep_blank_values=True)


def signed_in(handler: Handler) -> Handler:
    """Let only those in whose key may do everything; others are sent to the form."""

    async def handle(request: Request) -> Response:
        header = request.headers.get("authorization", "")
        try:
            admit(service_of(request), key_of(request), "admin", header)
        except HTTPException as error:
            if error.status_code not in (401, 403):
                raise
            return _to_form(request)
        return await handler(request)

    return handle


def _to_form(request: Request) -> Response:
    if request.headers.get("hx-request") == "true":
        return Response(status_code=401, headers={"HX-Redirect": "/login"})
    return RedirectResponse(f"/login?next={quote(request.url.path)}", 303)


async def get_form(request: Request) -> Response:
    return rendered("login.html", next=inside(request.query_params.get("next", "/")))


async def post_form(request: Request) -> Response:
    form = await form_of(request)
    text = form.get("key", [""])[0].strip()
    to = inside(form.get("next", ["/"])[0])
    key = service_of(request).keys.find(text)
    if key is None:
        return rendered("login.html", 401, next=to, error="There is no such key.")
    if not key.may("admin"):
        error = f"This key may {', '.join(sorted(key.scopes))}; the dashboard needs admin."
        return rendered("login.html", 403, next=to, error=error)
    response = RedirectResponse(to, 303)
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, text, httponly=True, samesite="strict", secure=secure)
    return response


async def sign_out(request: Request) -> Response:
    response = RedirectResponse("/login", 303)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return response


def inside(path: str) -> str:
    """The path, if it is one of this service; else the first page."""
    leaves = not path.startswith("/") or path.startswith("//") or "\\" in path
    return "/" if leaves or not path.isprintable() else path
