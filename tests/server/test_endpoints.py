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
    refused = client.get("/v1/pages", **key)
    assert "send again after a second, or start" in refused.json()["detail"]
    assert client.get("/v1/pages", **bearer(service.keys.create(("admin",)))).status_code == 200


def test_a_body_that_is_too_large_is_refused(client: Client) -> None:
    answer = client.post("/v1/clicks", content=b"x" * 2001)
    assert answer.status_code == 413
    assert answer.json()["detail"] == (
        "the body must have at most 2000 bytes, got 2001 or more: send it in parts, or start the "
        "service with a larger --most-bytes"
    )


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
        ("/v1/pages/first/of/ours", ""),
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


def test_a_slash_in_a_name_is_told_as_such(client: Client) -> None:
    assert client.put("/v1/pages/a%2Fb", json=PAGE).json()["detail"] == (
        "there is no address '/v1/pages/a/b': a name has no /, not even as %2F"
    )


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ({}, "send an API key in a header: Authorization: Bearer unirank_..."),
        ({"Authorization": "Basic eDp5"}, "the key must follow the word Bearer"),
        ({"Authorization": "unirank_1_x"}, "the key must follow the word Bearer"),
        ({"Authorization": "Bearer unirank_1_x"}, "there is no such key"),
    ],
)
def test_a_missing_a_misplaced_and_a_wrong_key_are_told_apart(
    client: Client, header: dict[str, str], words: str
) -> None:
    answer = client.get("/v1/pages", headers=header)
    assert answer.status_code == 401
    assert answer.json()["detail"].startswith(words)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is empty"),
        (b'{"items', "it ends too early"),
        (b'{"items": ["ab\xff"]}', "byte 0xff at position 14 is not UTF-8"),
        (b'{"items": ["\\ud800"]}', r"\ud800 is half a character, the other half is missing"),
        (b'{"\\ud800": 1}', r"\ud800 is half a character, the other half is missing"),
        (b'{"items": ["\\udc00"]}', r"\udc00 is half a character, the other half is missing"),
    ],
)
def test_a_body_that_is_no_json_is_told_why(
    client: Client, service: Service, content: bytes, why: str
) -> None:
    key = bearer(service.keys.create(("admin",)))
    answer = client.put("/v1/pages/p", content=content, **key)
    assert (answer.status_code, answer.json()["detail"]) == (400, f"the body must be JSON: {why}")


def test_a_name_that_is_too_long_is_told_its_length(client: Client, service: Service) -> None:
    key = bearer(service.keys.create(("admin",)))
    answers = [client.put("/v1/pages/" + "x" * 201, json=PAGE, **key)]
    answers += [client.get("/v1/pages/" + "x" * 201, **key)]
    assert [answer.status_code for answer in answers] == [422, 404]
    for answer in answers:
        assert "x'... (201 letters): a name has 1 to 200 letters" in answer.json()["detail"]


def test_an_option_that_a_policy_needs_is_asked_for_as_json(
    client: Client, service: Service
) -> None:
    key = bearer(service.keys.create(("admin",)))
    answer = client.put("/v1/pages/p", json={**PAGE, "policy": "toprank"}, **key)
    assert answer.json()["detail"] == (
        'policy toprank needs horizon: send "options": {"horizon": ...}'
    )


@pytest.mark.parametrize("path", ["/v1/pages/p", "/v1/keys"])
def test_a_query_is_refused_where_there_is_none(
    client: Client, service: Service, path: str
) -> None:
    answer = client.get(f"{path}?most=3", **bearer(service.keys.create(("admin",))))
    assert answer.status_code == 422
    assert answer.json()["detail"] == "unknown field 'most': this request takes none"


def test_the_last_key_that_may_do_everything_stays(client: Client, service: Service) -> None:
    admin = bearer(service.keys.create(("admin",)))
    service.keys.create(("rank",))
    (id_,) = (key.id for key in service.keys if key.may("admin"))
    refused = client.request("DELETE", f"/v1/keys/{id_}", **admin)
    assert refused.status_code == 409
    assert "make another first, with POST /v1/keys" in refused.json()["detail"]
    client.post("/v1/keys", json={"scopes": ["admin"]}, **admin)
    assert client.request("DELETE", f"/v1/keys/{id_}", **admin).status_code == 204


def test_a_put_keeps_the_items_that_it_does_not_send(client: Client, service: Service) -> None:
    key = bearer(service.keys.create(("admin",)))
    frozen = {"mode": "frozen"}
    new = client.put("/v1/pages/p", json=frozen, **key)
    assert (new.status_code, new.json()["detail"]) == (422, "items must be given: the page is new")
    client.put("/v1/pages/p", json=PAGE, **key)
    assert client.put("/v1/pages/p", json=frozen, **key).json()["created"] is False
    page = client.get("/v1/pages/p", **key).json()
    assert (page["mode"], page["items"], page["n_positions"]) == ("frozen", ["a", "b"], 1)


def test_other_items_are_named(client: Client, service: Service) -> None:
    key = bearer(service.keys.create(("admin",)))
    client.put("/v1/pages/p", json=PAGE, **key)
    answer = client.put("/v1/pages/p", json={"items": ["a", "c"]}, **key)
    assert (answer.status_code, answer.json()["detail"]) == (
        409,
        "page 'p' has other items: new are ['c'], gone are ['b']; change them with PATCH "
        "/v1/pages/p/items",
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
