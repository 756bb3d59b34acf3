"""The short way answers as the long way does."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import structs

from tests.server.asgi import Client
from tests.server.stores import SETTINGS, RankRequest, service_on
from unirank.server.api import Holdout
from unirank.server.app import make_app
from unirank.server.endpoints import COOKIE
from unirank.server.fast_lane import FastLane
from unirank.server.limits import Limits
from unirank.server.service import Service

RANK, CLICKS = "/v1/pages/p/rank", "/v1/clicks"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with service_on(tmp_path / "f.sqlite", limits=Limits(most_bytes=4000)) as service:
        # With a holdout of every second visitor: each arm refuses in the same words.
        asyncio.run(service.put_page("p", structs.replace(SETTINGS, holdout=Holdout(0.5))))
        yield service


def both(
    service: Service, monkeypatch: pytest.MonkeyPatch, path: str, **values: Any
) -> tuple[httpx.Response, httpx.Response]:
    """The answers of the short way and of the long one."""
    short = Client(make_app(service)).post(path, **values)
    with monkeypatch.context() as without:
        without.setattr(FastLane, "__call__", lambda self, *sent: self._app(*sent))
        return short, Client(make_app(service)).post(path, **values)


def keys(service: Service) -> dict[str, str]:
    made = {scope: service.keys.create((scope,)) for scope in ("admin", "rank", "click")}
    return {**made, "wrong": made["rank"][:-1], "none": ""}


@pytest.mark.parametrize("path", [RANK, CLICKS, "/v1/pages/nowhere/rank", "/v1/pages//rank"])
@pytest.mark.parametrize("who", ["admin", "rank", "click", "wrong", "none"])
@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"{", b"\xff", b"[]", b'{"token": 7}', b'{"available": ["a"]}', b" " * 4001],
)
def test_refusals_are_the_same(
    service: Service, monkeypatch: pytest.MonkeyPatch, path: str, who: str, content: bytes
) -> None:
    key = keys(service)[who]
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    short, long = both(service, monkeypatch, path, content=content, headers=headers)
    assert short.status_code == long.status_code
    if short.status_code != 200:
        assert (short.content, short.headers) == (long.content, long.headers)


SHOP = {"Origin": "https://shop.example"}


@pytest.mark.parametrize("origin", [{}, SHOP, {**SHOP, "Cookie": "theirs=1"}])
def test_answers_are_the_same(
    service: Service, monkeypatch: pytest.MonkeyPatch, origin: dict[str, str]
) -> None:
    key = {"Authorization": f"bearer {keys(service)['rank']}"}
    short, long = both(service, monkeypatch, RANK, headers={**key, **origin})
    assert (short.status_code, short.json().keys()) == (200, long.json().keys())
    assert (short.content[-2:], long.content[-2:]) == (b"}\n", b"}\n")
    token = short.json()["token"]
    report = {"token": token, "clicks": short.json()["items"][:1]}
    for body in (report, [report, report], {**report, "token": token[:-2]}):
        ask = {"json": body, "headers": origin}
        both(service, monkeypatch, CLICKS, **ask)  # from then on they are duplicates
        short, long = both(service, monkeypatch, CLICKS, **ask)
        assert (short.status_code, short.content, dict(short.headers)) == (
            long.status_code,
            long.content,
            dict(long.headers),
        )
    short, long = both(service, monkeypatch, CLICKS, content=b"{", headers=origin)
    assert dict(short.headers) == dict(long.headers)


def test_a_key_in_a_cookie_takes_the_long_way(service: Service) -> None:
    client = Client(make_app(service))
    client.cookies[COOKIE] = keys(service)["admin"]
    assert client.post(RANK).status_code == 401
    assert client.post(RANK, headers={"HX-Request": "true"}).status_code == 200
    assert client.post(CLICKS, json=[]).status_code == 202


def sent(service: Service, *messages: dict[str, Any], **scope: Any) -> list[Any]:
    """What the application answers to these messages."""
    found: list[Any] = []
    left = list(messages)

    async def receive() -> dict[str, Any]:
        return left.pop(0)

    async def send(message: Any) -> None:
        found.append(message)

    values = {"type": "http", "method": "POST", "path": CLICKS, "headers": [], **scope}
    asyncio.run(make_app(service)({**values, "query_string": b""}, receive, send))
    return found


def test_a_body_may_come_in_parts(service: Service) -> None:
    shown = asyncio.run(service.rank("p", RankRequest()))
    body = b'{"token": "' + shown.token.encode() + b'", "clicks": []}'
    parts: list[dict[str, Any]] = [
        {"type": "http.request", "body": body[:9], "more_body": True},
        {"type": "http.request", "body": body[9:]},
    ]
    assert [message.get("status") for message in sent(service, *parts)] == [202, None]


def test_who_is_gone_gets_no_answer(service: Service) -> None:
    parts: list[dict[str, Any]] = [
        {"type": "http.request", "body": b"{", "more_body": True},
        {"type": "http.disconnect"},
    ]
    assert sent(service, *parts) == []


def test_a_fault_is_answered_and_logged(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "clicks", lambda reports: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        sent(service, {"type": "http.request", "body": b"[]"})
    answer = Client(make_app(service)).post(CLICKS, json=[])
    assert (answer.status_code, answer.json()["title"]) == (500, "The service has a fault")
    text = Client(make_app(service)).get("/metrics").text
    assert 'unirank_answers_total{method="POST",path="/v1/clicks",status="500"} 2.0' in text
