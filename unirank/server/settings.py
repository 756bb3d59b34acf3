"""Settings of the service: flags, then the environment, then a TOML file, then defaults."""

import os
from collections.abc import Mapping
from os import PathLike
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.server.wrong_values import converted

PREFIX = "UNIRANK_SERVE_"
OLD_NAMES = {"durable_impressions": "durable_views"}  # an older file may have them


class Settings(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Settings of one process; each field is named like its flag."""

    database: Annotated[
        str, Meta(description="a file for SQLite, or postgresql://user@host/name")
    ] = "unirank.sqlite"
    host: Annotated[str, Meta(description="address to listen on")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="port to listen on; 0: any free one")] = (
        8080
    )
    most_in_memory: Annotated[int, Meta(ge=1, description="pages kept in memory")] = 1000
    durable_views: Annotated[
        bool, Meta(description="answer `rank` only when the view is on disk")
    ] = False
    requests_per_s: Annotated[
        float, Meta(gt=0.0, description="requests that one key may send a second")
    ] = 5000.0
    most_bytes: Annotated[int, Meta(ge=1024, description="largest body of a request, in bytes")] = (
        2**20
    )
    clicks_per_session: Annotated[
        int,
        Meta(ge=1, description="clicks of a session on a page in a day; one with more is flagged"),
    ] = 200
    demo: Annotated[bool, Meta(description="add a page with simulated visitors")] = False
    new_key: Annotated[bool, Meta(description="make another key with all scopes")] = False
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    tick: Annotated[
        float, Meta(gt=0.0, le=60.0, description="seconds between looks for windows that are over")
    ] = 0.25


def settings_from(
    flags: Mapping[str, Any],
    config: str | PathLike[str] | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Settings:
    """Combine the flags, the environment and the TOML file, in this order of precedence.

    An ArgumentError names the source that holds a wrong value.
    """
    found: dict[str, Any] = {}
    given = _of_environment(environment)
    in_environment = given.pop("config", None)
    config = in_environment if config is None else config
    if config is not None:
        try:
            with open(config, "rb") as file:
                content = msgspec.toml.decode(file.read())
        except (OSError, msgspec.DecodeError) as error:
            raise ArgumentError(f"config must be a TOML file: {error}") from None
        given_there = {OLD_NAMES.get(name, name): value for name, value in content.items()}
        found.update(_checked(given_there, f"{str(config)!r}"))
    found.update(_checked(given, "the environment"))
    found.update({name: value for name, value in flags.items() if value is not None})
    try:
        settings: Settings = converted(found, Settings)
    except msgspec.ValidationError as error:
        raise ArgumentError(str(error)) from None
    return settings


def _of_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the settings in the environment, and `config`.

    An unknown name that begins with PREFIX is a mistake, and refused.
    """
    known = (*Settings.__struct_fields__, "config", *OLD_NAMES)
    names = {PREFIX + name.upper(): OLD_NAMES.get(name, name) for name in known}
    given = [name for name in environment if name.startswith(PREFIX)]
    return {
        names[arguments.choice("environment variable", name, sorted(names))]: environment[name]
        for name in given
    }


def _checked(values: Mapping[str, Any], source: str) -> dict[str, Any]:
    try:
        read = converted(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise ArgumentError(f"settings in {source}: {error}") from None
    return {name: getattr(read, name) for name in values}
