"""What /metrics says of answers, good and bad."""

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.asgi import Client
from tests.server.stores import service_on
from unirank.server.app import make_app
from unirank.server.service import Service
from unirank.server.store.database import StoreUnavailable

PAGE = {"items": ["a", "b"], "n_positions": 1}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with service_on(tmp_path / "e.sqlite") as service:
        yield service


@pytest.fixture
def client(service: Service) -> Client:
    return Client(make_app(service))


def answers(client: Client) -> set[tuple[str, str, str, float]]:
    """Path, method, status and number."""
    found = re.findall(
        r'unirank_answers_total{method="(.*)",path="(.*)",status="(.*)"} (.*)',
        client.get("/metrics").text,
    )
    return {(path, method, status, float(n)) for method, path, status, n in found}


def test_answers_are_counted_by_route_and_status(client: Client, service: Service) -> None:
    key = {"headers": {"Authorization": f"Bearer {service.keys.create(('admin',))}"}}
    for name in "pq":
        client.put(f"/v1/pages/{name}", json=PAGE, **key)
        client.post(f"/v1/pages/{name}/rank", **key)
    client.put("/v1/pages/r", json={**PAGE, "mode": "lern"}, **key)
    client.post("/v1/pages/p/rank")
    client.post("/v1/clicks", content=b"{")
    client.post("/v1/clicks", json={"token": "x", "clicks": []})
    client.get("/")
    assert answers(client) == {
        ("/v1/pages/{page}", "PUT", "200", 2.0),
        ("/v1/pages/{page}", "PUT", "422", 1.0),
        ("/v1/pages/{page}/rank", "POST", "200", 2.0),
        ("/v1/pages/{page}/rank", "POST", "401", 1.0),
        ("/v1/clicks", "POST", "400", 1.0),
        ("/v1/clicks", "POST", "202", 1.0),
        ("dashboard", "GET", "303", 1.0),
    }
    assert "unirank_rejected_reports_total 1.0" in client.get("/metrics").text


def test_what_is_sent_makes_no_labels(client: Client) -> None:
    for n in range(5):
        client.get(f"/nowhere/{n}")
        client.request(f"METHOD{n}", "/livez")
    assert {each[:3] for each in answers(client)} == {
        ("other", "GET", "404"),
        ("other", "other", "405"),
    }


def test_failures_are_counted(
    client: Client, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> None:
        raise StoreUnavailable("gone")

    monkeypatch.setattr(service.store, "check", fails)
    client.get("/readyz")
    monkeypatch.setattr(service.store, "check", lambda: 1 / 0)
    client.get("/readyz")
    monkeypatch.undo()
    assert answers(client) >= {("/readyz", "GET", "503", 1.0), ("/readyz", "GET", "500", 1.0)}


def test_each_answer_is_a_line_at_level_debug(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "unirank.server"):
        client.get("/livez")
        client.post("/v1/clicks", content=b"[]")
        client.post("/v1/clicks", content=b"{")
    records = [record for record in caplog.records if hasattr(record, "fields")]
    assert [(record.getMessage(), record.fields["status"]) for record in records] == [
        ("GET /livez", 200),
        ("POST /v1/clicks", 202),
        ("POST /v1/clicks", 400),
    ]
    assert all(record.fields["ms"] > 0 for record in records)
