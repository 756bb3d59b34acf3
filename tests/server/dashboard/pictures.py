"""Pictures of the dashboard of `unirank serve --demo`, taken in Chromium: `make pictures`.

    python -m tests.server.dashboard.pictures docs/static

dashboard-start.png, after a few seconds; dashboard-motion.png, after a minute; dashboard-page.png,
when the page has settled, some minutes later; then on a phone, and in the dark.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

from tests.server.browser import Visit, browser
from tests.server.process import ServerProcess, eventually

DESK = {"viewport": {"width": 1100, "height": 985}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "device_scale_factor": 2}
LONGEST = 900.0  # seconds until it must have settled


def signed_in(chromium: Any, server: ServerProcess, **look: Any) -> Any:
    """The page `demo` in a window of its own."""
    page = Visit(chromium, server.address, **look).go("/pages/demo")
    page.fill("#key", server.key)
    page.press("#key", "Enter")
    page.wait_for_selector("h1:has-text('demo')")
    return page


def take(page: Any, file: Path, *, whole: bool = True) -> None:
    """Save what the page shows now, with its curves drawn."""
    page.reload()
    page.wait_for_load_state("networkidle")
    sleep(1.0)
    page.screenshot(path=file, full_page=whole)
    sys.stdout.write(f"wrote {file}\n")


def main(folder: Path) -> None:
    with (
        TemporaryDirectory() as here,
        browser() as chromium,
        ServerProcess(Path(here) / "demo.sqlite", "--demo") as server,
    ):
        eventually(lambda: server.client.get("/v1/pages/demo").status_code == 200, 60.0)
        begun, page = monotonic(), signed_in(chromium, server, **DESK)
        take(page, folder / "dashboard-start.png")
        sleep(60.0)
        take(page, folder / "dashboard-motion.png")
        while not server.client.get("/v1/pages/demo").json()["settled"]:
            if monotonic() > begun + LONGEST:
                sys.exit(f"the demo has not settled within {LONGEST:g} seconds")
            sleep(5.0)
        take(page, folder / "dashboard-page.png", whole=False)
        take(signed_in(chromium, server, **PHONE), folder / "dashboard-phone.png", whole=False)
        dark = signed_in(chromium, server, color_scheme="dark", **DESK)
        take(dark, folder / "dashboard-dark.png", whole=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
