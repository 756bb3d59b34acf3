"""Templates into answers; a browser may load nothing from elsewhere."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from unirank.server.dashboard.formats import FILTERS, place, ticks

HERE = Path(__file__).parent
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}

templates = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
templates.filters.update({function.__name__: function for function in FILTERS})
templates.globals.update(place=place, ticks=ticks, version=version("unirank"))


def rendered(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page of HTML."""
    return HTMLResponse(templates.get_template(template).render(values), status, HEADERS)
