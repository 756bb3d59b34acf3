from pathlib import Path

import pytest

from tests.server.stores import opened
from unirank.server.keys import Keys, bearer_of


def test_a_key_is_found_by_every_process_and_kept_as_a_hash(tmp_path: Path) -> None:
    with opened(tmp_path / "k.sqlite") as store:
        text = Keys(store).create(("rank",), "shop")
        key = Keys(store).find(text)
        assert key is not None
        assert (key.note, key.may("rank"), key.may("click")) == ("shop", True, False)
        secret = text.split("_", 2)[2]
        assert all(secret.encode() not in bytes(hash_) for _, hash_, *_ in store.api_keys())


def test_admin_may_do_everything(tmp_path: Path) -> None:
    with opened(tmp_path / "k.sqlite") as store:
        keys = Keys(store)
        key = keys.find(keys.create(("admin",)))
        assert key is not None
        assert key.may("rank")


@pytest.mark.parametrize("change", [lambda t: t[:-1], lambda t: t + "x", lambda t: "", str.upper])
def test_any_other_text_is_no_key(tmp_path: Path, change: object) -> None:
    with opened(tmp_path / "k.sqlite") as store:
        keys = Keys(store)
        text = keys.create(("rank",))
        assert callable(change)
        assert keys.find(change(text)) is None


@pytest.mark.parametrize(
    ("header", "text"),
    [("Bearer a b", "a b"), ("bEARER x", "x"), ("Bearer", None), ("Basic x", None), ("", None)],
)
def test_what_follows_bearer_in_a_header(header: str, text: str | None) -> None:
    assert bearer_of(header) == text
