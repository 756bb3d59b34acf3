"""Signing in with a key, and who is kept out."""

from pathlib import Path

import pytest

from tests.server.dashboard.web import HX, dashboard
from unirank.server.dashboard.sign_in import inside
from unirank.server.endpoints import COOKIE


def test_a_key_is_kept_in_a_cookie_that_no_script_reads(tmp_path: Path) -> None:
    with dashboard(tmp_path) as (_, client):
        key = client.cookies.pop(COOKIE)
        answer = client.post("/login", data={"key": f" {key} ", "next": "/pages/p"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/pages/p")
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith(f"{COOKIE}={key};")
        assert {"httponly", "samesite=strict", "path=/"} <= {
            part.strip().lower() for part in cookie.split(";")
        }


@pytest.mark.parametrize(
    ("scopes", "status", "words"), [(None, 401, "no such key"), (("rank",), 403, "needs admin")]
)
def test_other_keys_are_refused_in_one_sentence(
    tmp_path: Path, scopes: tuple[str, ...] | None, status: int, words: str
) -> None:
    with dashboard(tmp_path) as (service, client):
        key = service.keys.create(scopes) if scopes else "unirank_1_x"
        answer = client.post("/login", data={"key": key})
        assert answer.status_code == status
        assert words in answer.text
        assert "set-cookie" not in answer.headers


def test_who_is_not_signed_in_is_sent_to_the_form(tmp_path: Path) -> None:
    with dashboard(tmp_path) as (_, client):
        client.cookies.clear()
        answer = client.get("/pages/p")
        assert (answer.status_code, answer.headers["location"]) == (303, "/login?next=/pages/p")
        answer = client.get("/pages/p", headers=HX)
        assert (answer.status_code, answer.headers["hx-redirect"]) == (401, "/login")
        assert client.get("/login?next=/pages/p").status_code == 200


def test_a_form_of_another_site_changes_nothing(tmp_path: Path) -> None:
    with dashboard(tmp_path) as (_, client):
        answer = client.post("/pages/p/mode", data={"mode": "frozen"})  # without HX-Request
        assert (answer.status_code, answer.headers["location"][:6]) == (303, "/login")


def test_signing_out_forgets_the_key(tmp_path: Path) -> None:
    with dashboard(tmp_path) as (_, client):
        answer = client.post("/logout")
        assert f'{COOKIE}=""' in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/pages/p", "/pages/p"),
        ("https://evil.example", "/"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("/\nx", "/"),
        ("", "/"),
    ],
)
def test_nobody_is_sent_elsewhere(path: str, to: str) -> None:
    assert inside(path) == to
