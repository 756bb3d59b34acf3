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
    durable_views: Annotated[
        bool | None, Parameter(name=["--durable-views", "--durable-impressions"], negative="")
    ] = None,
    requests_per_s: float | None = None,
    most_bytes: int | None = None,
    clicks_per_session: int | None = None,
    demo: Annotated[bool | None, Parameter(negative="")] = None,
    new_key: Annotated[bool | None, Parameter(negative="")] = None,
    log_level: str | None = None,
    tick: float | None = None,
    config: Path | None = None,
) -> None:
    """Serve pages that learn their order from clicks, with a dashboard.

    Every flag can also be given in the environment, UNIRANK_SERVE_PORT=8080 for --port 8080, or in
    a TOML file, port = 8080. Flags come first, then the environment, then the file. A name that is
    none of them is refused.

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
    durable_views
        Answer `rank` only when the view is on disk. By default views are written within 50 ms.
    requests_per_s
        Requests that one key may send a second; more are refused with 429. Default: 5000.
    most_bytes
        Largest body of a request. Default: 1 MiB.
    clicks_per_session
        A session with more clicks than this in a day is flagged. Default: 200.
    demo
        Add a page `demo` with simulated visitors, to see it learn on the dashboard.
    new_key
        Make and print another key that may do everything, if the first was lost.
    log_level
        debug, info (default), warning or error.
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
        "durable_views": durable_views,
        "requests_per_s": requests_per_s,
        "most_bytes": most_bytes,
        "clicks_per_session": clicks_per_session,
        "demo": demo,
        "new_key": new_key,
        "log_level": log_level,
        "tick": tick,
    }
    settings = import_module("unirank.server.settings").settings_from(flags, config)
    import_module("unirank.server.run").run(settings)
