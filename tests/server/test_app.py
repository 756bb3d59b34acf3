"""The routes, over real HTTP, on both databases."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import msgspec
import pytest

from tests.server.cluster import cluster, missing
from tests.server.process import ServerProcess, eventually
from unirank.server.app import give_up

SHOP = {"items": ["tea", "mug", "pot", "tray"], "n_positions": 2, "window_s": 0.05}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServerProcess]:
    if request.param == "sqlite":
        with ServerProcess(tmp_path_factory.mktemp("serve") / "pages.sqlite") as server:
            yield server
        return
    if missing():
        pytest.skip(missing())
    with cluster("-c fsync=off") as started, ServerProcess(started.url()) as server:
        yield server


@pytest.fixture
def client(server: ServerProcess) -> httpx.Client:
    return server.client


def made(client: httpx.Client, name: str, **settings: Any) -> None:
    answer = client.put(f"/v1/pages/{name}", json={**SHOP, **settings})
    assert (answer.status_code, answer.json()["created"]) == (200, True), answer.text


def ranked(client: httpx.Client, name: str, **request: Any) -> dict[str, Any]:
    answer = client.post(f"/v1/pages/{name}/rank", json=request)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def views(client: httpx.Client, name: str) -> int:
    return int(client.get(f"/v1/pages/{name}").json()["views"])


def test_what_a_second_put_does_not_send_stays_as_it_is(client: httpx.Client) -> None:
    made(client, "kept", holdout={"share": 0.2, "order": "random"}, policy="unirank", mode="frozen")
    answer = client.put("/v1/pages/kept", json={**SHOP, "window_s": 5.0})
    assert answer.json() == {"page": "kept", "created": False}
    kept = client.get("/v1/pages/kept").json()["settings"]
    assert kept["holdout"] == {"share": 0.2, "order": "random"}
    assert (kept["policy"], kept["mode"], kept["window_s"]) == ("unirank", "frozen", 5.0)


def test_the_settings_of_a_page_make_it_again(client: httpx.Client) -> None:
    made(client, "first", start=["pot", "tea", "tray", "mug"], options={"half_life": 500})
    settings = client.get("/v1/pages/first").json()["settings"]
    assert client.put("/v1/pages/first", json=settings).json()["created"] is False
    assert client.put("/v1/pages/second", json=settings).json()["created"] is True
    assert client.get("/v1/pages/second").json()["settings"] == settings
    change = {"add": ["kettle"], "remove": ["tea"]}
    changed = client.patch("/v1/pages/first/items", json=change).json()["settings"]
    assert changed["start"] == ["pot", "tray", "mug", "kettle"]
    assert client.put("/v1/pages/first", json=changed).json()["created"] is False
    assert client.put("/v1/pages/third", json=changed).json()["created"] is True


def test_a_page_learns_what_is_clicked(client: httpx.Client) -> None:
    made(client, "learns", holdout={"share": 0.0}, window_s=600.0)
    for _ in range(200):
        shown = ranked(client, "learns")
        clicked = [item for item in shown["items"] if item == "pot"]
        report = {"token": shown["token"], "clicks": clicked, "final": True}
        answer = client.post("/v1/clicks", json=report)
        assert answer.status_code == 202
        assert answer.json()["accepted"] == len(clicked)
    eventually(lambda: views(client, "learns") == 200)
    page = client.get("/v1/pages/learns").json()
    assert page["leader"][0] == ["pot"]


def test_a_click_counts_once(client: httpx.Client) -> None:
    made(client, "once", window_s=600.0)
    shown = ranked(client, "once")
    report = {"token": shown["token"], "clicks": shown["items"][:1]}
    first = client.post("/v1/clicks", json=[report, report]).json()
    second = client.post("/v1/clicks", json=report).json()
    assert (first["accepted"], first["duplicate"]) == (1, 1)
    assert (second["accepted"], second["duplicate"]) == (0, 1)


def test_a_click_after_the_window_is_late(client: httpx.Client) -> None:
    made(client, "late")
    shown = ranked(client, "late")
    eventually(lambda: views(client, "late") == 1)
    report = {"token": shown["token"], "clicks": shown["items"][:1]}
    assert client.post("/v1/clicks", json=report).json()["late"] == 1
    assert client.get("/v1/pages/late").json()["clicks"] == 0


def test_a_beacon_needs_no_key(server: ServerProcess, client: httpx.Client) -> None:
    made(client, "beacon")
    shown = ranked(client, "beacon")
    body = f'{{"token": "{shown["token"]}", "clicks": []}}'
    headers = {"Content-Type": "text/plain", "Origin": "https://shop.example"}
    answer = httpx.post(f"{server.address}/v1/clicks", content=body, headers=headers)
    assert answer.status_code == 202
    assert answer.headers["access-control-allow-origin"] == "*"


def test_a_deferred_view_counts_when_it_is_shown(client: httpx.Client) -> None:
    made(client, "deferred")
    shown = ranked(client, "deferred", defer=True)
    ranked(client, "deferred")
    eventually(lambda: views(client, "deferred") == 1)
    assert client.post("/v1/shown", json={"token": shown["token"]}).status_code == 204
    eventually(lambda: views(client, "deferred") == 2)


def test_items_come_and_go(client: httpx.Client) -> None:
    made(client, "items", holdout={"share": 0.0})
    change = {"add": ["kettle"], "remove": ["tea"]}
    page = client.patch("/v1/pages/items/items", json=change).json()
    assert set(page["items"]) == {"mug", "pot", "tray", "kettle"}
    shown = {item for _ in range(50) for item in ranked(client, "items")["items"]}
    assert "tea" not in shown


def test_a_frozen_order_stays_until_it_is_thawed(client: httpx.Client) -> None:
    made(client, "ice", holdout={"share": 0.0}, start=["pot", "tray", "tea", "mug"])
    client.put("/v1/pages/ice", json={**SHOP, "mode": "frozen"})
    order = client.get("/v1/pages/ice").json()["frozen"]
    assert ranked(client, "ice")["items"] == order[:2]
    page = client.patch("/v1/pages/ice/items", json={"add": ["kettle"]}).json()
    assert page["frozen"] == [*order, "kettle"]
    assert ranked(client, "ice")["items"] == order[:2]
    client.patch("/v1/pages/ice/items", json={"remove": order[:1]})
    assert ranked(client, "ice")["items"] == order[1:3]  # those below move up
    client.post("/v1/pages/ice/rebuild", json={"without": {"from": 0}})
    client.patch("/v1/pages/ice/items", json={"add": order[:1]})
    assert ranked(client, "ice")["items"] == order[:2]  # it comes back to its place
    sent = {"items": [*order, "kettle"], "n_positions": 2, "mode": "learn"}
    assert client.put("/v1/pages/ice", json=sent).status_code == 200
    assert client.get("/v1/pages/ice").json()["frozen"] is None


def test_a_deleted_page_leaves_its_log_and_its_name(client: httpx.Client) -> None:
    made(client, "gone", window_s=600.0)
    shown = [ranked(client, "gone") for _ in range(2)]
    first, second = ({"token": s["token"], "clicks": s["items"][:1], "final": True} for s in shown)
    assert client.post("/v1/clicks", json=first).json()["accepted"] == 1
    assert [client.delete("/v1/pages/gone").status_code for _ in range(2)] == [204, 404]
    assert client.post("/v1/pages/gone/rank").status_code == 404
    made(client, "gone")
    for report in (first, second):
        answer = client.post("/v1/clicks", json=report).json()
        assert [each["reason"] for each in answer["rejected"]] == [
            "the page of this view was deleted"
        ]
    assert views(client, "gone") == 0

    def exported() -> list[Any]:
        lines = client.get("/v1/export?most=100000").text.splitlines()
        entries = [msgspec.json.decode(line) for line in lines]
        return [e for e in entries if e["page"].startswith("gone/") and e.get("clicks")]

    (outcome,) = eventually(exported)
    assert outcome["clicks"] == shown[0]["items"][:1]


def test_an_observed_page_shows_todays_order(client: httpx.Client) -> None:
    start = ["pot", "tray", "tea", "mug"]
    made(client, "observed", mode="observe", start=start)
    shown = ranked(client, "observed", available=["tray", "mug", "tea"])
    assert (shown["arm"], shown["items"]) == ("observed", ["tray", "tea"])


def test_the_lift_leaves_out_what_was_seen_under_other_terms(client: httpx.Client) -> None:
    made(client, "terms", holdout={"share": 0.5}, window_s=0.2)

    def visit(n: int) -> None:
        shown = [ranked(client, "terms") for _ in range(n)]
        reports = [{"token": s["token"], "clicks": s["items"]} for s in shown]
        before = views(client, "terms")
        client.post("/v1/clicks", json=reports)
        eventually(lambda: views(client, "terms") == before + n)

    visit(20)
    change = {**SHOP, "window_s": 0.2}
    client.put("/v1/pages/terms", json={**change, "holdout": {"share": 0.05}})
    visit(10)
    client.put("/v1/pages/terms", json={**change, "mode": "frozen"})
    visit(5)
    page = client.get("/v1/pages/terms").json()
    assert (page["views"], page["lift"]["left_out"]) == (35, 30)
    client.put("/v1/pages/terms", json={**change, "mode": "learn"})
    page = client.get("/v1/pages/terms").json()
    assert page["lift"]["left_out"] == 25
    assert sum(arm["views"] for arm in page["lift"]["arms"].values()) == 10
    assert page["sample_ratio"] > 0.001


def test_a_session_stays_in_its_arm(client: httpx.Client) -> None:
    made(client, "sticky", holdout={"share": 0.5, "order": "random"})
    arms = [{ranked(client, "sticky", session=f"s{n}")["arm"] for _ in range(4)} for n in range(12)]
    assert all(len(each) == 1 for each in arms)
    assert set.union(*arms) == {"learner", "holdout"}


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"{", 400, "must be JSON"),
        (b"\xff", 400, "must be JSON"),
        (b'{"items": ["a"]}', 422, "n_positions"),
        (b'{"items": ["a"], "n_positions": 2}', 422, "n_positions must be in 1..n_items=1, got 2"),
        (b'{"items": ["a"], "n_positions": 1, "policy": "unirnk"}', 422, "did you mean 'unirank'"),
        (b'{"items": ["a", "b"], "n_positions": 1, "start": ["a"]}', 422, "start must hold"),
        (
            b'{"items": ["a"], "n_positions": 1, "mode": "lern"}',
            422,
            "mode must be one of frozen, learn, observe: got 'lern'",
        ),
        (b" " * 2**21, 413, "1048576 bytes"),
    ],
)
def test_a_wrong_page_is_one_sentence(
    client: httpx.Client, body: bytes, status: int, words: str
) -> None:
    answer = client.put("/v1/pages/wrong", content=body)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert words in problem["detail"]
    assert problem["status"] == status


def test_requests_without_a_key_are_refused(server: ServerProcess) -> None:
    answer = httpx.get(f"{server.address}/v1/pages")
    assert (answer.status_code, answer.json()["status"]) == (401, 401)
    wrong = {"Authorization": f"Bearer {server.key[:-1]}"}
    refused = httpx.get(f"{server.address}/v1/pages", headers=wrong)
    assert refused.status_code == 401
    assert refused.json()["detail"].startswith("there is no such key")


def test_an_unknown_page_is_not_found(client: httpx.Client) -> None:
    answer = client.post("/v1/pages/nowhere/rank")
    assert answer.status_code == 404
    assert "PUT /v1/pages/nowhere" in answer.json()["detail"]


def test_a_changed_token_is_rejected(client: httpx.Client) -> None:
    made(client, "forged")
    token = ranked(client, "forged")["token"]
    other = token[:-1] + ("A" if token[-1] != "A" else "B")
    answer = client.post("/v1/clicks", json={"token": other, "clicks": []})
    assert answer.json()["rejected"][0]["index"] == 0


@pytest.mark.parametrize(("n_behind", "code"), [(0, 0), (1, 1)])
def test_a_process_without_time_for_snapshots_fails_only_if_views_are_lost(
    monkeypatch: pytest.MonkeyPatch, n_behind: int, code: int
) -> None:
    codes: list[int] = []
    monkeypatch.setattr("unirank.server.app.os._exit", codes.append)
    service: Any = SimpleNamespace(writer=SimpleNamespace(n_behind=n_behind))
    give_up(service)
    assert codes == [code]


def test_what_was_learnt_survives_a_restart(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "pages.sqlite") as first:
        made(first.client, "page", window_s=600.0)
        shown = ranked(first.client, "page")
        report = {"token": shown["token"], "clicks": shown["items"], "final": True}
        first.client.post("/v1/clicks", json=report)
        assert first.stop() == 0
    with ServerProcess(tmp_path / "pages.sqlite", key=first.key) as second:
        eventually(lambda: views(second.client, "page") == 1)
        assert second.client.get("/v1/pages/page").json()["clicks"] == 2
        assert int(ranked(second.client, "page")["id"], 16) > int(shown["id"], 16)
