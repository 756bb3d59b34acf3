"""Whatever comes in, the answer is a 4xx in one sentence, and nothing is stored."""

import asyncio
import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from tests.server.asgi import Client
from tests.server.cluster import cluster, missing
from tests.server.faults.mutations import CHANGES, mutated
from tests.server.stores import service_on, view
from unirank.errors import ArgumentError
from unirank.server import keys
from unirank.server.api import ClickReport, PageSettings, RankRequest
from unirank.server.app import make_app
from unirank.server.keys import Keys
from unirank.server.limits import Limits
from unirank.server.service import Service
from unirank.server.tokens import SEAL, sealed, unsealed

PAGE = {"items": ["a", "b", "c"], "n_positions": 2}
KEY = b"k" * 32


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def service(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    limits = Limits(requests_per_s=1e9, most_bytes=10_000)
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("hostile") / "h.sqlite"
        with service_on(path, limits=limits) as service:
            yield service
        return
    if missing():
        pytest.skip(missing())
    with cluster("-c fsync=off") as started, service_on(started.url(), limits=limits) as service:
        yield service


@pytest.fixture(scope="module")
def key(service: Service) -> str:
    return service.keys.create(("admin",))


@pytest.fixture(scope="module")
def client(service: Service, key: str) -> Client:
    client = Client(make_app(service))
    headers = {"Authorization": f"Bearer {key}"}
    assert client.put("/v1/pages/page", json=PAGE, headers=headers).status_code == 200
    return client


WRITING = [
    ("PUT", "/v1/pages/page"),
    ("PATCH", "/v1/pages/page/items"),
    ("POST", "/v1/pages/page/rank"),
    ("POST", "/v1/pages/page/rebuild"),
    ("POST", "/v1/shown"),
    ("POST", "/v1/clicks"),
]
BODIES = {
    "oversized": b'{"items": ["' + b"x" * 10_000 + b'"]}',
    "cut": b'{"items": ["a", "b"',
    "nothing after": b'{"items": ["a"]} {}',
    "zeros": b"\0\0\0\0",
    "no UTF-8": b'{"token": "\xe9", "session": "\xe9", "items": ["\xe9"], "add": ["\xe9"]}',
    "UTF-16": json.dumps(PAGE).encode("utf-16"),
    "half a surrogate": b'{"token": "\\ud800", "session": "\\ud800", "items": ["\\ud800"]}',
    "deep": b"[" * 9_000,
    "deep objects": b'{"options":' * 900,
    "a number": b"7",
    "a text": b'"text"',
    "null": b"null",
    "a list of numbers": b"[1, 2, 3]",
    "an unknown field": b'{"colour": "red"}',
    "no number": b'{"n_positions": NaN}',
    "a huge number": b'{"items": [1e400], "add": [1e400], "available": [1e400], "clicks": [1e400]}',
    "wrong types": b'{"items": {}, "token": [], "available": "a", "add": 1, "without": []}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_body_that_is_wrong_is_refused_in_one_sentence(
    client: Client, key: str, body: bytes
) -> None:
    for method, path in WRITING:
        headers = {"Authorization": f"Bearer {key}"}
        answer = client.request(method, path, content=body, headers=headers)
        assert answer.status_code in (400, 413, 422), (method, path, answer.text)
        assert answer.headers["content-type"] == "application/problem+json"
        detail = answer.json()["detail"]
        assert detail
        assert "\n" not in detail
        assert len(detail) < 400


@pytest.mark.parametrize(
    "path",
    [
        "/v1/pages/page/series?step=0",
        "/v1/pages/page/series?step=nan",
        "/v1/pages/page/series?from=1e308&to=-1e308",
        "/v1/pages/page/series?from=x",
        "/v1/export?after=99999999999999999999999",
        "/v1/export?most=-1",
        "/v1/pages?after=%00",
        "/v1/pages?most=1e9",
        "/v1/pages/%00",
        "/v1/pages/%00/series",
    ],
)
def test_a_query_that_is_wrong_is_refused(client: Client, key: str, path: str) -> None:
    answer = client.get(path, headers={"Authorization": f"Bearer {key}"})
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("name", ["%00", "%0a", "x" * 201, "a%2fb"])
def test_a_page_cannot_have_any_name(client: Client, key: str, name: str) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    answer = client.put(f"/v1/pages/{name}", json=PAGE, headers=headers)
    assert answer.status_code in (404, 422)


@pytest.mark.parametrize("item", ["\0", "\U0001f375", 2**53, -(2**53), " "])
def test_any_item_that_is_taken_can_be_shown_and_clicked(service: Service, item: Any) -> None:
    async def visit() -> None:
        name = f"item {item!r}"
        await service.put_page(name, PageSettings([item, "b"], 2, policy="random"))
        shown = await service.rank(name, RankRequest())
        answer = await service.clicks([ClickReport(shown.token, [item], final=True)])
        assert answer.accepted == 1
        service.closing.once()
        assert (await service.summary(name)).clicks == 1

    asyncio.run(visit())


# Tokens.


def test_no_mutated_token_is_accepted() -> None:
    tokens = [sealed(view(n, page=1 + n % 3), KEY) for n in range(1, 50)]
    chance = Random(1)
    for _ in range(20_000):
        with pytest.raises(ArgumentError):
            unsealed(mutated(tokens, chance), KEY)


def test_every_kind_of_change_changes_something() -> None:
    (one, other), chance = (sealed(view(n), KEY) for n in (1, 2)), Random(1)
    for change in CHANGES:
        assert len({change(one, other, chance) for _ in range(200)} - {one, other}) > 2


def test_a_token_of_one_page_cannot_be_used_on_another(service: Service) -> None:
    async def visit() -> None:
        for name in ("mine", "theirs"):
            await service.put_page(name, PageSettings(["a", "b"], 1, policy="random"))
        shown = await service.rank("mine", RankRequest())
        content = urlsafe_b64decode(shown.token + "==")
        fields = msgspec.msgpack.decode(content[1:-SEAL])
        theirs = service.store.page("theirs")
        assert theirs is not None
        forged = content[:1] + msgspec.msgpack.encode([fields[0], theirs.number, *fields[2:]])
        token = urlsafe_b64encode(forged + content[-SEAL:]).rstrip(b"=").decode()
        for text, n_rejected in ((token, 1), (shown.token, 0)):
            answer = await service.clicks([ClickReport(text, list(shown.items), final=True)])
            assert len(answer.rejected) == n_rejected
        service.closing.once()
        assert (await service.summary("mine")).clicks == 1
        assert (await service.summary("theirs")).views == 0

    asyncio.run(visit())


# Keys.


def test_the_secret_of_a_key_is_nowhere_in_the_files(tmp_path: Path) -> None:
    with service_on(tmp_path / "keys.sqlite") as service:
        id_, secret = service.keys.create(("rank",)).split("_", 2)[1:]
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert id_.encode() in content
    assert secret.encode() not in content


def test_known_and_unknown_keys_are_compared_in_constant_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[int, int]] = []

    class Watched:
        @staticmethod
        def compare_digest(one: bytes, two: bytes) -> bool:
            compared.append((len(one), len(two)))
            return hmac.compare_digest(one, two)

    with service_on(tmp_path / "keys.sqlite") as service:
        known = Keys(service.store)
        text = known.create(("rank",))
        monkeypatch.setattr(keys, "hmac", Watched)
        for each in (text, text[:-1], "unirank_00000000_nothing", "", "x"):
            known.find(each)
    assert compared == [(32, 32)] * 5
