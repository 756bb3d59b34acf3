"""One process of the service: listen, say where, serve, leave in order."""

import os
import socket
import sys
from signal import SIGINT, SIGTERM, signal

import uvicorn
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from rich.console import Console

from unirank.errors import ArgumentError
from unirank.server.app import make_app
from unirank.server.demo import run_demo
from unirank.server.json_log import log_as_json
from unirank.server.keys import Keys
from unirank.server.limits import Limits
from unirank.server.service import Service
from unirank.server.settings import Settings
from unirank.server.store.opening import open_store

SWITCH = 0.0005  # seconds that requests wait for a thread that folds or writes, ten times fewer
SHOWN = ("user", "dbname", "host", "port")  # of the address of a PostgreSQL
PAGE = '{"items": ["tea", "mug", "pot"], "n_positions": 2}'


def run(settings: Settings) -> None:
    """Serve until SIGTERM or Ctrl-C."""
    listening = listening_socket(settings.host, settings.port)
    log_as_json(settings.log_level)
    service = Service(
        open_store(settings.database),
        limits=Limits(
            requests_per_s=settings.requests_per_s,
            most_bytes=settings.most_bytes,
            clicks_per_session=settings.clicks_per_session,
        ),
        most_in_memory=settings.most_in_memory,
        durable_views=settings.durable_views,
        tick=settings.tick,
    )
    address = f"http://{settings.host}:{listening.getsockname()[1]}"
    key = first_key(service.keys, another=settings.new_key)
    greet(Console(), address, without_password(settings.database), key)
    config = uvicorn.Config(
        make_app(service, *([run_demo] if settings.demo else [])),
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=2,
    )
    sys.setswitchinterval(SWITCH)
    # uvicorn raises them again when requests have ended and all is written.
    signal(SIGTERM, lambda *_: leave(0))
    signal(SIGINT, lambda *_: leave(130))
    uvicorn.Server(config).run(sockets=[listening])


def leave(code: int) -> None:
    """End at once: Python would wait for threads that compile or wait for the database."""
    sys.stdout.flush()
    os._exit(code)


def first_key(keys: Keys, *, another: bool) -> str | None:
    """Make a key that may do everything, if there is none or another one is wanted."""
    note = "made at start"
    return keys.create(("admin",), note) if another else keys.create_first(note)


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket bound to the address, so that nothing else is begun where that fails."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        why = error.strerror or str(error)
        raise ArgumentError(
            f"host and port must be free here, got {host}:{port}: {why}; choose another one with "
            '--port 8123 (make serve SERVE="--port 8123")'
        ) from None
    return listening


def greet(console: Console, address: str, database: str, key: str | None) -> None:
    """Say where the service is, and how to try it."""
    lines = [f"unirank serves {address} from {database}", f"dashboard: {address}/"]
    page = f"{address}/v1/pages/first"
    if key is None:
        lines.append("the API key was shown when it was made; --new-key makes another")
    else:
        lines += [
            f"API key, shown once: {key}",
            "the first page of a policy waits some seconds for its compiler",
            f"try: curl -X PUT {page} -H 'Authorization: Bearer {key}' -d '{PAGE}' && "
            f"curl -X POST {page}/rank -H 'Authorization: Bearer {key}'",
        ]
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def without_password(address: str) -> str:
    """The address of a database, as it may be shown."""
    if not address.startswith(("postgresql://", "postgres://")):
        return address
    parts = conninfo_to_dict(address)
    return make_conninfo(**{name: str(parts[name]) for name in SHOWN if name in parts})
