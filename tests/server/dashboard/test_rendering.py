"""Templates: everything is escaped, and nothing comes from elsewhere."""

import re

import pytest

from unirank.server.dashboard.rendering import HERE, rendered

TEMPLATES = sorted(path.name for path in (HERE / "templates").glob("*.html"))


def test_what_people_write_is_escaped() -> None:
    answer = rendered("error.html", 404, error="<script>alert(1)</script>")
    assert answer.status_code == 404
    assert b"&lt;script&gt;alert" in answer.body
    assert b"<script>alert" not in answer.body


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_loads_nothing_from_elsewhere_and_has_no_script_of_its_own(name: str) -> None:
    text = (HERE / "templates" / name).read_text()
    assert not re.findall(r"""(?:src|href|action|hx-get|hx-post)=["'](?:https?:)?//""", text)
    assert not re.findall(r"""\son[a-z]+=|\sstyle=|<script>|<style""", text)


def test_a_browser_is_told_to_load_nothing_from_elsewhere() -> None:
    headers = rendered("error.html", error="x").headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("name", ["htmx", "uPlot"])
def test_what_is_vendored_has_its_licence(name: str) -> None:
    vendor = HERE / "static" / "vendor"
    assert list(vendor.glob(f"{name}*.js"))
    assert "permission" in (vendor / f"{name}.LICENSE").read_text().lower()
