"""A real browser: Debian's Chromium, driven by Playwright."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from shutil import which
from typing import Any

CHROMIUM = which("chromium")
FLAGS = [
    "--no-sandbox",  # CI runs as root
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LONGEST = 15_000  # milliseconds that an element may take to appear


def missing() -> str:
    """Why there is no browser; empty if there is one."""
    if CHROMIUM is None:
        return "no browser tests: there is no chromium (apt install chromium)"
    if find_spec("playwright") is None:
        return "no browser tests: there is no Playwright (pip install playwright)"
    return ""


class Visit:
    """A window, and what its pages said and asked for."""

    def __init__(self, browser: Any, address: str, **look: Any) -> None:
        self.address = address
        self.page = browser.new_context(**look).new_page()
        self.page.set_default_timeout(LONGEST)
        self.complaints: list[str] = []
        self.requested: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requested.append(request.url))
        self.page.on("dialog", lambda dialog: dialog.accept())

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def go(self, path: str) -> Any:
        self.page.goto(self.address + path)
        return self.page

    def check(self) -> None:
        """Nothing was complained of, and nothing was asked of another address."""
        elsewhere = [url for url in self.requested if not url.startswith(self.address)]
        assert (self.complaints, elsewhere) == ([], [])


@contextmanager
def browser() -> Iterator[Any]:
    # Imported here: a machine without a browser needs no Playwright.
    playwright = import_module("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield opened
        finally:
            opened.close()
