"""The dashboard in a real browser: on a desktop and on a phone, light and dark."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.browser import Visit, browser, missing
from tests.server.process import ServerProcess, eventually

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    database = tmp_path_factory.mktemp("browser") / "pages.sqlite"
    with ServerProcess(database, "--demo") as server:
        eventually(lambda: server.client.get("/v1/pages/demo").json().get("views", 0) > 100, 60.0)
        yield server


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as opened:
        yield opened


def signed_in(chromium: Any, server: ServerProcess, **look: Any) -> Visit:
    visit = Visit(chromium, server.address, **look)
    page = visit.go("/pages/demo")
    page.fill("#key", server.key)
    page.click("text=Sign in >> nth=-1")
    page.wait_for_selector("h1:has-text('demo')")
    return visit


def test_a_wrong_key_is_refused_and_the_right_one_leads_on(
    chromium: Any, server: ServerProcess
) -> None:
    visit = Visit(chromium, server.address)
    page = visit.go("/pages/demo")
    page.fill("#key", "unirank_0_wrong")
    page.press("#key", "Enter")
    page.wait_for_selector("[role=alert]:has-text('no such key')")
    visit.complaints.clear()  # Chromium notes the 401
    page.fill("#key", server.key)
    page.press("#key", "Enter")
    page.wait_for_selector("h1:has-text('demo')")
    visit.check()
    page.click("text=Sign out")
    page.wait_for_selector("h1:has-text('Sign in')")
    assert visit.go("/").url.endswith("/login?next=/")


def test_from_all_pages_to_one_which_moves_by_itself(chromium: Any, server: ServerProcess) -> None:
    visit = signed_in(chromium, server)
    page = visit.go("/")
    page.click("a:has-text('demo')")
    page.wait_for_selector("#rates canvas")

    def views() -> list[str]:
        return list(page.locator(".arms td:nth-child(2)").all_inner_texts())

    before = views()
    eventually(lambda: views() != before, 15.0)
    assert page.locator("#rates canvas").count() == 1  # the curves outlive the refresh
    assert page.locator(".strip rect").count() > 4
    assert page.locator("ol.order li").count() == 4
    page.click("[data-span=hour]")
    page.wait_for_selector("[data-span=hour][aria-pressed=true]")
    visit.check()


def test_a_single_point_stands_in_the_middle_of_its_axis(
    chromium: Any, server: ServerProcess
) -> None:
    api = server.client
    api.put("/v1/pages/once", json={"items": ["a", "b", "c"], "n_positions": 1, "window_s": 0.1})
    api.post("/v1/pages/once/rank")
    eventually(lambda: api.get("/v1/pages/once").json()["views"] == 1)
    page = signed_in(chromium, server).go("/pages/once")
    page.locator("#rates .u-over").hover()
    axis = page.locator("#rates .u-over").bounding_box()
    point = page.locator("#rates .u-cursor-pt").first.bounding_box()
    middle = axis["x"] + axis["width"] / 2
    assert point["x"] + point["width"] / 2 == pytest.approx(middle, abs=3.0)


def test_freeze_and_learn_again(chromium: Any, server: ServerProcess) -> None:
    visit, asked = signed_in(chromium, server), list[str]()
    page = visit.page
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    page.click("text=Freeze the order")
    assert "then sees" in asked[0]
    page.wait_for_selector(".badge.frozen")
    assert server.client.get("/v1/pages/demo").json()["mode"] == "frozen"
    page.click("text=Learn again >> nth=0")
    page.wait_for_selector("text=Freeze the order")
    assert server.client.get("/v1/pages/demo").json()["mode"] == "learn"
    visit.check()


def test_what_freezing_asks_follows_the_order(chromium: Any, server: ServerProcess) -> None:
    page = signed_in(chromium, server).page
    page.evaluate("document.getElementById('freeze').setAttribute('hx-confirm', 'old')")
    page.wait_for_selector("#freeze[hx-confirm*='then sees']")


def test_change_the_holdout(chromium: Any, server: ServerProcess) -> None:
    page_settings = {"items": ["a", "b", "c"], "n_positions": 1}
    server.client.put("/v1/pages/held", json=page_settings)
    visit = signed_in(chromium, server)
    page = visit.go("/pages/held")
    page.fill("#holdout input", "20")
    page.select_option("#holdout select", "random")
    page.click("#holdout button")
    page.wait_for_selector("text=The holdout is changed")
    page.wait_for_selector("text=20 % of the visitors, the holdout, see a random order")
    settings = server.client.get("/v1/pages/held").json()["settings"]
    assert settings["holdout"] == {"share": 0.2, "order": "random"}
    visit.check()


def test_add_an_item_and_remove_it(chromium: Any, server: ServerProcess) -> None:
    visit = signed_in(chromium, server)
    page = visit.page
    page.fill("#add", "kettle")
    page.click("#add-item button")
    page.wait_for_selector("text=kettle is added.")
    assert "kettle" in server.client.get("/v1/pages/demo").json()["items"]
    page.click("[aria-label='Remove kettle']")
    page.wait_for_selector("[aria-label='Bring kettle back']")
    assert "kettle" in server.client.get("/v1/pages/demo").json()["removed"]
    visit.check()


def refreshed(page: Any, times: int = 2) -> None:
    """Wait until the page has refreshed itself so often."""
    for _ in range(times):
        with page.expect_response(lambda answer: answer.url.endswith("/pages/demo")):
            pass


def test_what_cannot_be_done_is_said_at_its_form_until_something_is_done(
    chromium: Any, server: ServerProcess
) -> None:
    page = signed_in(chromium, server).page
    page.fill("#add", "teapot")
    page.click("#add-item button")
    page.wait_for_selector("#said-items [role=alert]:has-text('teapot')")
    refreshed(page)
    assert "teapot" in page.inner_text("#said-items")
    page.click("#freeze")
    page.wait_for_selector("#said-mode [role=status]")
    assert page.inner_text("#said-items") == ""
    page.click("text=Learn again >> nth=0")


def test_what_cannot_be_done_can_be_dismissed(chromium: Any, server: ServerProcess) -> None:
    page = signed_in(chromium, server).page
    page.fill("#add", "teapot")
    page.click("#add-item button")
    page.click("#said-items >> text=Dismiss")
    assert page.inner_text("#said-items") == ""


def test_what_was_done_is_said_where_it_was_asked_for(chromium: Any, server: ServerProcess) -> None:
    page = signed_in(chromium, server, **PHONE).page
    page.click("#holdout button")
    page.wait_for_selector("#said-holdout [role=status]:has-text('as it was')")
    refreshed(page, 1)
    said = page.locator("#said-holdout").bounding_box()
    assert 0.0 <= said["y"] <= PHONE["viewport"]["height"] - said["height"]


@pytest.mark.parametrize("path", ["/", "/pages/demo", "/pages/nowhere"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_need_not_scroll_sideways(
    chromium: Any, server: ServerProcess, path: str, scheme: str
) -> None:
    visit = signed_in(chromium, server, **PHONE, color_scheme=scheme)
    page = visit.go(path)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    bright = sum(map(int, re.findall(r"\d+", ground)[:3])) > 3 * 128
    assert bright == (scheme == "light")


def test_a_rebuild_of_which_nothing_is_chosen_says_what_it_does(
    chromium: Any, server: ServerProcess
) -> None:
    visit, asked = signed_in(chromium, server), list[str]()
    page = visit.page
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    page.click("#rebuild button")
    page.wait_for_selector("#said-rebuild [role=status]")
    page.fill("#rebuild [name=from]", "2020-01-01T00:00")
    page.fill("#rebuild [name=to]", "2020-01-02T00:00")
    page.click("#rebuild button")
    eventually(lambda: len(asked) == 2)
    assert ["You chose no session" in question for question in asked] == [True, False]
    visit.check()


def test_a_time_looks_the_same_in_all_cards(chromium: Any, server: ServerProcess) -> None:
    page = signed_in(chromium, server, locale="en-US").page
    page.wait_for_selector("#rates canvas")
    page.locator("#rates .u-over").hover()
    times = page.locator(".changes time").all_inner_texts()
    times.append(page.locator("#rates .u-legend .u-value").first.text_content())
    assert len(times) > 1
    assert all(re.fullmatch(r"\w{3} \d+, \d{4}, \d\d:\d\d:\d\d", time) for time in times)


def test_a_page_is_deleted(chromium: Any, server: ServerProcess) -> None:
    server.client.put("/v1/pages/old", json={"items": ["a", "b"], "n_positions": 1})
    visit = signed_in(chromium, server)
    page = visit.go("/pages/old")
    page.click("text=Delete the page")
    page.wait_for_url(f"{server.address}/")
    assert page.locator("a:has-text('old')").count() == 0
    assert server.client.get("/v1/pages/old").status_code == 404
    visit.check()


def test_a_long_name_breaks_no_button(chromium: Any, server: ServerProcess) -> None:
    name = "a very long name of a product, with its size and its colour, as in a catalogue"
    server.client.put("/v1/pages/names", json={"items": ["tea", "mug", name], "n_positions": 2})
    page = signed_in(chromium, server).go("/pages/names")
    heights = [each.bounding_box()["height"] for each in page.locator("ul.items button").all()]
    assert max(heights) == min(heights)
