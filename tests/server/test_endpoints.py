"""Keys, scopes, cookies and bodies, over the application without a network."""

from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import Any

import pytest

from tests.server.asgi import Client
from tests.server.stores import service_on
from unirank.server.app import make_app
from unirank.server.endpoints import COOKIE
from unirank.server.limits import Limits
from unirank.server.service import Service

PAGE = {"items": ["a", "b"], "n_positions": 1}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    limits = Limits(requests_per_s=50.0, most_bytes=2000)
    with service_on(tmp_path / "e.sqlite", limits=limits) as service:
        yield service


@pytest.fixture
def client(service: Service) -> Client:
    return Client(make_app(service))


def bearer(key: str) -> dict[str, Any]:
    return {"headers": {"Authorization": f"Bearer {key}"}}


def test_a_key_does_what_its_scopes_allow(client: Client, service: Service) -> None:
    admin, shop = service.keys.create(("admin",)), service.keys.create(("rank",))
    assert client.put("/v1/pages/p", json=PAGE, **bearer(shop)).status_code == 403
    assert client.put("/v1/pages/p", json=PAGE, **bearer(admin)).status_code == 200
    assert client.post("/v1/pages/p/rank", **bearer(shop)).status_code == 200
    answer = client.get("/v1/pages/p", **bearer(shop))
    assert answer.json()["detail"] == "this key may rank, not admin"


def test_a_cookie_reads_and_writes_only_from_our_own_pages(
    client: Client, service: Service
) -> None:
    client.cookies[COOKIE] = service.keys.create(("admin",))
    assert client.get("/v1/pages").status_code == 200
    assert client.put("/v1/pages/p", json=PAGE).status_code == 401
    own = {"HX-Request": "true"}
    assert client.put("/v1/pages/p", json=PAGE, headers=own).status_code == 200


def test_a_key_that_sends_too_much_is_slowed_down(client: Client, service: Service) -> None:
    key = bearer(service.keys.create(("admin",)))
    service.limits.requests_per_s = 2.0
    answers = [client.get("/v1/pages", **key).status_code for _ in range(30)]
    assert answers[:4] == [200] * 4
    assert 429 in answers
    assert client.get("/v1/pages", **bearer(service.keys.create(("admin",)))).status_code == 200


def test_a_body_that_is_too_large_is_refused(client: Client) -> None:
    answer = client.post("/v1/clicks", content=b"x" * 2001)
    assert (answer.status_code, answer.json()["detail"]) == (413, "a body may have 2000 bytes")


def test_an_unknown_query_is_refused(client: Client, service: Service) -> None:
    key = bearer(service.keys.create(("admin",)))
    answer = client.get("/v1/export?format=csv", **key)
    assert (answer.status_code, answer.json()["status"]) == (422, 422)
    assert answer.json()["detail"] == "format must be one of jsonl, obp, parquet, ubi: got 'csv'"


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("/v1/page/first", "did you mean /v1/pages/first? "),
        ("/v1/pages/first/ranks", "did you mean /v1/pages/first/rank? "),
        ("/v1/nothing/of/ours", ""),
        ("/wp-login.php", ""),
    ],
)
def test_an_unknown_address_is_told_the_nearest_one(client: Client, path: str, hint: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.json()["title"]) == (404, "Not found")
    assert answer.json()["detail"] == (
        f"there is no address '{path}'; {hint}/openapi.json has them all"
    )


def test_requests_are_timed(client: Client) -> None:
    client.get("/livez")
    text = client.get("/metrics").text
    assert 'unirank_request_seconds_count{method="GET",path="/livez"} 1.0' in text


def test_keys_are_made_listed_and_deleted(client: Client, service: Service) -> None:
    before = time()
    admin = bearer(service.keys.create(("admin",), "me"))
    made = client.post("/v1/keys", json={"scopes": ["rank"], "note": "shop"}, **admin).json()
    listed = client.get("/v1/keys", **admin).json()
    assert [(key["scopes"], key["note"]) for key in listed] == [
        (["admin"], "me"),
        (["rank"], "shop"),
    ]
    first, second = (key["created_at"] for key in listed)
    assert before <= first <= second <= time()
    assert client.post("/v1/pages/p/rank", **bearer(made["key"])).status_code == 404
    path = f"/v1/keys/{listed[1]['id']}"
    assert [client.request("DELETE", path, **admin).status_code for _ in range(2)] == [204, 404]
    assert client.post("/v1/pages/p/rank", **bearer(made["key"])).status_code == 401


def test_a_key_that_is_sent_with_clicks_must_fit(client: Client, service: Service) -> None:
    report = {"token": "x", "clicks": []}
    shop, program = (bearer(service.keys.create((scope,))) for scope in ("rank", "click"))
    assert client.post("/v1/clicks", json=report).status_code == 202
    assert client.post("/v1/clicks", json=report, **program).status_code == 202
    assert client.post("/v1/clicks", json=report, **shop).status_code == 403


def test_a_wrong_method_is_told_all_that_there_are(client: Client) -> None:
    answer = client.request("PATCH", "/v1/pages/p")
    assert answer.status_code == 405
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "PUT", "DELETE"}
    assert answer.json()["detail"] == "this address takes only DELETE, GET, HEAD, PUT"


def test_only_reports_come_from_anywhere(client: Client) -> None:
    origin = {"Origin": "https://shop.example", "Access-Control-Request-Method": "POST"}
    asked = client.request("OPTIONS", "/v1/clicks", headers=origin)
    assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (200, "*")
    refused = client.post("/v1/clicks", content=b"{", headers=origin)
    assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (400, "*")
    assert client.request("OPTIONS", "/v1/clicks").status_code == 405
    assert client.request("OPTIONS", "/v1/pages", headers=origin).status_code == 405
    assert "access-control-allow-origin" not in client.get("/v1/pages", headers=origin).headers
