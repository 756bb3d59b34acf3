"""A dashboard inside the process of the test, and a client that is signed in to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.server.asgi import Client
from tests.server.stores import service_on
from unirank.server.app import make_app
from unirank.server.endpoints import COOKIE
from unirank.server.service import Service

HX = {"HX-Request": "true"}


@contextmanager
def dashboard(path: Path) -> Iterator[tuple[Service, Client]]:
    with service_on(path / "s.sqlite") as service:
        client = Client(make_app(service))
        client.cookies[COOKIE] = service.keys.create(("admin",))
        yield service, client
