"""`unirank serve`: pages that learn their order, over HTTP."""

from importlib import import_module
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from unirank.extras import optional

PACKAGES = ("apsw", "httptools", "jinja2", "prometheus_client", "psycopg", "starlette", "uvicorn")


def serve(
    *,
    database: str | None = None,
    host: str | None = None,
    port: int | None = None,
    most_in_memory: int | None = None,
    durable_impressions: Annotated[bool | None, Parameter(negative="")] = None,
    tick: float | None = None,
    config: Path | None = None,
) -> None:
    """Serve pages that learn their order from clicks, with a dashboard.

    Every flag can also be given in the environment, UNIRANK_SERVE_PORT=8080 for --port 8080, or in
    a TOML file, port = 8080. Flags come first, then the environment, then the file.

    Parameters
    ----------
    database
        A file for SQLite (default: unirank.sqlite), or postgresql://user@host/name, which any
        number of processes share.
    host
        Address to listen on; by default this machine only.
    port
        Port to listen on, by default 8080; 0 takes any free one.
    most_in_memory
        Pages kept in memory; the least recently used ones are put aside. Default: 1000.
    durable_impressions
        Answer `rank` only when the list is on disk. By default lists are written within 50 ms.
    tick
        Seconds between looks for windows that are over.
    config
        A TOML file.
    """
    for package in PACKAGES:
        optional(package, "serve")
    flags = {
        "database": database,
        "host": host,
        "port": port,
        "most_in_memory": most_in_memory,
        "durable_impressions": durable_impressions,
        "tick": tick,
    }
    settings = import_module("unirank.server.settings").settings_from(flags, config)
    import_module("unirank.server.run").run(settings)
