"""The dashboard without a browser: what it shows, and what its forms do."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.asgi import Client
from tests.server.dashboard.web import HX, dashboard
from tests.server.stores import SETTINGS, RankRequest, service_on
from unirank.server.api import ClickReport, Holdout, ItemsChange, PageSettings
from unirank.server.dashboard.rendering import HERE
from unirank.server.dashboard.routes import item_of
from unirank.server.errors import NotLoaded
from unirank.server.service import Service

Web = tuple[Service, Client]


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with dashboard(tmp_path) as found:
        yield found


def made(service: Service, name: str = "p", n_views: int = 0, **settings: object) -> None:
    async def play() -> None:
        values = {"items": SETTINGS.items, "n_positions": 2, "window_s": 1e-6, **settings}
        await service.put_page(name, PageSettings(**values))  # type: ignore[arg-type]
        for _ in range(n_views):
            shown = await service.rank(name, RankRequest(session="robot"))
            await service.clicks([ClickReport(shown.token, shown.items[:1])])

    asyncio.run(play())
    service.closing.once()


def test_without_a_page_it_says_how_to_make_one(web: Web) -> None:
    answer = web[1].get("/")
    assert answer.status_code == 200
    assert "curl -X PUT http://test/v1/pages/first" in answer.text


def test_pages_are_listed_with_their_state(web: Web) -> None:
    service, client = web
    made(service, "new <page>")
    text = client.get("/").text
    assert 'href="/pages/new%20%3Cpage%3E"' in text
    assert "new &lt;page&gt;" in text
    assert "no outcome yet" in text


@pytest.mark.parametrize("policy", ["matchrank", "unirank", "toprank", "random", "grab"])
def test_every_kind_of_policy_has_a_page(web: Web, policy: str) -> None:
    service, client = web
    options = {"horizon": 1000} if policy == "toprank" else {}
    made(service, policy=policy, options=options)
    assert client.get("/pages/p").status_code == 200
    made(service, n_views=25, policy=policy, options=options)
    answer = client.get("/pages/p")
    assert answer.status_code == 200
    assert "25" in answer.text


def test_a_page_that_is_not_there_is_named(web: Web) -> None:
    answer = web[1].get("/pages/nowhere")
    assert answer.status_code == 404
    assert "there is no page" in answer.text
    assert answer.headers["content-type"].startswith("text/html")


def test_a_page_that_cannot_be_read_is_named_beside_the_others(web: Web) -> None:
    service, client = web
    made(service)
    bad = service.store.create_page("bad", SETTINGS)
    assert bad is not None
    service.store.change_page(bad, {"settings": {"items": 7}}, SETTINGS)
    text = client.get("/").text
    assert 'href="/pages/p"' in text
    assert "Cannot be read: bad." in text


def test_a_page_that_is_being_loaded_is_not_said_to_be_none(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def summary(name: str, **_: object) -> None:
        raise NotLoaded(f"page {name!r} is being loaded")

    service, client = web
    made(service)
    monkeypatch.setattr(service, "summary", summary)
    text = client.get("/").text
    assert "learnt again from a long log: p." in text
    assert "There is no page yet" not in text


def test_a_deleted_page_leads_back_to_the_others(web: Web) -> None:
    service, client = web
    made(service)
    answer = client.post("/pages/p/delete", headers=HX)
    assert (answer.status_code, answer.headers["hx-redirect"]) == (204, "/")
    assert client.get("/pages/p").status_code == 404


def test_freezing_and_learning_again(web: Web) -> None:
    service, client = web
    made(service)
    text = client.post("/pages/p/mode", data={"mode": "frozen"}, headers=HX).text
    assert "Learn again" in text
    assert asyncio.run(service.page("p")).serving.settings.mode == "frozen"
    text = client.post("/pages/p/mode", data={"mode": "learn"}, headers=HX).text
    assert "Freeze the order" in text
    answer = client.post("/pages/p/mode", data={"mode": "x"}, headers=HX)
    assert (answer.status_code, answer.json()["detail"]) == (
        422,
        "mode must be one of frozen, learn, observe: got 'x'",
    )


def test_a_policy_without_an_order_offers_no_freezing(web: Web) -> None:
    service, client = web
    made(service, policy="random")
    text = client.get("/pages/p").text
    assert "random has no order that could be frozen" in text
    assert 'id="freeze"' not in text


def test_items_come_and_go(web: Web) -> None:
    service, client = web
    made(service)
    assert (
        "kettle is added."
        in client.post("/pages/p/items", data={"add": " kettle "}, headers=HX).text
    )
    assert "a is removed." in client.post("/pages/p/items", data={"remove": "a"}, headers=HX).text
    assert asyncio.run(service.page("p")).serving.items == ["b", "c", "d", "kettle"]
    answer = client.post("/pages/p/items", data={"add": "kettle"}, headers=HX)
    assert answer.status_code == 422
    assert "kettle" in answer.json()["detail"]


def test_an_item_that_nobody_has_seen_is_marked_and_freezing_asks_about_it(web: Web) -> None:
    service, client = web
    made(service, n_views=40, items=["a", "b"], holdout={"share": 0.0})
    assert "not shown yet" not in client.get("/pages/p").text
    client.post("/pages/p/items", data={"add": "kettle"}, headers=HX)
    client.post("/pages/p/items", data={"remove": "b"}, headers=HX)
    text = client.get("/pages/p").text
    assert '<span class="tag">not shown yet</span>' in text
    assert re.search(r'id="freeze"[^>]* hx-confirm="[^"]*kettle has not been shown yet', text)


def test_an_item_of_numbers_is_a_number() -> None:
    assert item_of(" 12 ", [1, 2]) == 12
    assert item_of("12", ["a"]) == "12"
    assert item_of("2", ["a", 2]) == 2


def test_the_holdout_is_changed_by_its_form(web: Web) -> None:
    service, client = web
    made(service, window_s=5.0)
    form = {"percent": "12.5", "order": "random"}
    assert "begins anew" in client.post("/pages/p/holdout", data=form, headers=HX).text
    settings = asyncio.run(service.page("p")).serving.settings
    assert (settings.holdout, settings.window_s) == (Holdout(0.125, "random"), 5.0)
    text = client.get("/pages/p").text
    assert 'value="12.5"' in text
    assert '<option value="random" selected>' in text
    assert "as it was" in client.post("/pages/p/holdout", data=form, headers=HX).text


@pytest.mark.parametrize(
    ("path", "form"),
    [("mode", {"mode": "frozen"}), ("holdout", {"percent": "20", "order": "start"})],
)
def test_a_form_changes_a_page_whose_items_another_process_just_changed(
    web: Web, tmp_path: Path, path: str, form: dict[str, str]
) -> None:
    service, client = web
    made(service)
    with service_on(tmp_path / "s.sqlite") as other:
        asyncio.run(other.change_items("p", ItemsChange(add=["kettle"])))
    assert client.post(f"/pages/p/{path}", data=form, headers=HX).status_code == 200
    assert asyncio.run(service.summary("p")).items == [*SETTINGS.items, "kettle"]


def test_without_a_holdout_the_page_says_so_and_does_not_speak_of_a_comparison(web: Web) -> None:
    service, client = web
    made(service, n_views=60)
    form = {"percent": "0", "order": "start"}
    text = client.post("/pages/p/holdout", data=form, headers=HX).text
    assert "There is no holdout now" in text
    assert "give the page a holdout" in text
    assert "The comparison begins anew" not in text
    assert "the comparison is fair" not in text


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("items", {"add": "kettle"}),
        ("mode", {"mode": "frozen"}),
        ("holdout", {"percent": "20", "order": "start"}),
        ("rebuild", {}),
    ],
)
def test_a_form_says_beside_itself_what_it_did(web: Web, path: str, form: dict[str, str]) -> None:
    service, client = web
    made(service)
    text = client.post(f"/pages/p/{path}", data=form, headers=HX).text
    assert re.findall(r'id="said-(\w+)"><p class="done" role="status">', text) == [path]


def test_a_holdout_that_was_there_before_goes_on_with_its_comparison(web: Web) -> None:
    service, client = web
    made(service, n_views=25)
    other, first = {"percent": "20", "order": "start"}, {"percent": "5", "order": "start"}
    assert "begins anew" in client.post("/pages/p/holdout", data=other, headers=HX).text
    text = client.post("/pages/p/holdout", data=first, headers=HX).text
    assert "the comparison of then goes on, with its 25 views" in text
    assert "the comparison begins anew" not in text


def figures(text: str) -> list[str]:
    """Views of each group, as the card says."""
    return re.findall(r'<span class="key \w+"></span>[^<]*</td><td class="number">([^<]*)', text)


@pytest.mark.parametrize(
    ("path", "form"),
    [("holdout", {"percent": "20", "order": "random"}), ("mode", {"mode": "frozen"})],
)
def test_a_new_comparison_shows_no_figures_of_the_old_one(
    web: Web, path: str, form: dict[str, str]
) -> None:
    service, client = web
    made(service, n_views=25)
    assert sorted(figures(client.get("/pages/p").text)) == ["0", "25"]
    text = client.post(f"/pages/p/{path}", data=form, headers=HX).text
    assert figures(text) == ["0", "0"]
    assert "25 others are left out" in text


@pytest.mark.parametrize(
    "form",
    [{"percent": "60", "order": "start"}, {"percent": "x", "order": "start"}, {"percent": "5"}],
)
def test_a_holdout_that_cannot_be_is_refused(web: Web, form: dict[str, str]) -> None:
    service, client = web
    made(service)
    assert client.post("/pages/p/holdout", data=form, headers=HX).status_code == 422
    assert asyncio.run(service.page("p")).serving.settings.holdout == Holdout()


def test_rebuilding_leaves_a_robot_out(web: Web) -> None:
    service, client = web
    service.limits.clicks_per_session = 5
    made(service, n_views=8)
    session = re.search(r'name="session" value="([0-9a-f]+)"', client.get("/pages/p").text)
    assert session is not None
    answer = client.post("/pages/p/rebuild", data={"session": session[1]}, headers=HX)
    assert "Left out: 8 views." in answer.text
    service.closing.once()
    assert asyncio.run(service.summary("p")).views == 0
    assert "1 session until <time" in " ".join(client.get("/pages/p").text.split())
    client.post("/pages/p/rebuild", data={"from": "2000000000"}, headers=HX)
    service.closing.once()
    assert asyncio.run(service.summary("p")).views == 0  # what was left out before stays so
    client.post("/pages/p/rebuild", data={"back": "1"}, headers=HX)
    service.closing.once()
    assert asyncio.run(service.summary("p")).views == 8


def test_a_second_rebuild_at_once_keeps_the_first(web: Web) -> None:
    service, client = web
    made(service)
    for end in ("1000", "2000"):
        client.post("/pages/p/rebuild", data={"from": "5", "to": end}, headers=HX)
    assert [part.to for part in asyncio.run(service.summary("p")).without] == [1000.0, 2000.0]


def test_a_time_that_is_none_is_refused(web: Web) -> None:
    service, client = web
    made(service)
    assert client.post("/pages/p/rebuild", data={"from": "x"}, headers=HX).status_code == 422


def test_a_page_that_observes_has_no_holdout_to_speak_of(web: Web) -> None:
    service, client = web
    made(service, mode="observe")
    assert "Everybody sees today" in client.get("/pages/p").text
    assert "the holdout, see" not in client.get("/pages/p").text


def test_the_chart_has_the_views_of_the_log(web: Web) -> None:
    service, client = web
    made(service, n_views=20, holdout={"share": 0.0})
    chart = client.get("/pages/p/chart?span=day").json()
    (curve,) = chart["rates"]["curves"]
    assert curve["name"] == "learner"
    assert [value for value in curve["value"] if value is not None] == [1.0]
    assert chart["lift"]["at"] == []


def test_the_script_of_shops_is_small_and_needs_no_key(web: Web) -> None:
    _, client = web
    client.cookies.clear()
    answer = client.get("/unirank.js")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/javascript")
    assert len(answer.content) <= 2048
    assert answer.content == (HERE / "static" / "unirank.js").read_bytes()
