"""The shop of the how-to page, in a real browser: a click is reported by unirank.js."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.docs.sources import DOCS
from tests.docs.test_web_application import free_port
from tests.server.browser import Visit, browser, missing
from tests.server.process import ServerProcess, eventually

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())
SHOP = {"items": ["tea", "mug", "pot"], "n_positions": 3, "holdout": {"share": 0.0}}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path / "pages.sqlite") as server:
        assert server.client.put("/v1/pages/teashop", json={**SHOP, "window_s": 2.0}).is_success
        yield server


@pytest.fixture
def shop(server: ServerProcess) -> Iterator[str]:
    port = free_port()
    settings = {"UNIRANK_ADDRESS": server.address, "UNIRANK_KEY": server.key, "PORT": str(port)}
    program = [sys.executable, str(DOCS / "how_to/shop_page.py")]
    process = subprocess.Popen(program, env={**os.environ, **settings}, stderr=subprocess.DEVNULL)
    try:
        yield eventually(lambda: answering(f"http://127.0.0.1:{port}"), 20.0)
    finally:
        process.kill()
        process.wait()


def answering(address: str) -> str:
    try:
        return address if httpx.get(address + "/product").is_success else ""
    except httpx.TransportError:
        return ""


def test_a_click_on_a_link_is_reported(server: ServerProcess, shop: str) -> None:
    with browser() as chromium:
        visit = Visit(chromium, shop)
        page = visit.go("/")
        page.click("a[data-unirank=pot]")
        page.wait_for_url("**/product?pot")
        visit.go("/").click("a[data-unirank=mug]", button="middle")

        def clicks() -> int:
            return int(server.client.get("/v1/pages/teashop").json()["clicks"])

        eventually(lambda: clicks() == 2, 20.0)
        lines = server.client.get("/v1/export").text
        assert "pot" in lines
        sent = [url for url in visit.requested if url.endswith("/v1/clicks")]
        assert sent == [f"{server.address}/v1/clicks"] * 2
        assert "unirank_" not in page.content()  # the key stays on the server


def test_without_the_service_the_shop_shows_todays_order(server: ServerProcess, shop: str) -> None:
    server.stop()
    text = httpx.get(shop + "/").text
    assert text.index("tea</a>") < text.index("mug</a>") < text.index("pot</a>")
    assert 'data-unirank-token=""' in text


def test_a_missing_key_is_told_in_one_line() -> None:
    program = [sys.executable, str(DOCS / "how_to/shop_page.py")]
    without = {name: value for name, value in os.environ.items() if name != "UNIRANK_KEY"}
    said = subprocess.run(
        program, env=without, capture_output=True, text=True, check=False, timeout=60
    )
    assert said.stderr == (
        "UNIRANK_KEY must hold a key of the service: export UNIRANK_KEY=unirank_...\n"
    )
