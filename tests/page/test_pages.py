"""Thousands of pages: made on first use, put aside, read again, shared by threads."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import unirank as ur
from unirank.errors import ArgumentError, StateFileError
from unirank.page import page_names
from unirank.page.pages import Pages

ITEMS = ["a", "b", "c", "d"]


def opened(folder: Path, **settings: Any) -> Pages:
    given = {"policy": "unirank", "n_positions": 2, "items": lambda name: ITEMS, **settings}
    return Pages(folder, **given)


def visited(pages: Pages, name: str, times: int = 1) -> None:
    for _ in range(times):
        shown = pages[name].rank()
        pages[name].update(shown, clicks=[shown.items[0]])


def rounds_of(pages: Pages, name: str) -> int:
    with pages[name].policy() as policy:
        return policy.round


def rounds_on_disk(folder: Path, name: str) -> int:
    return ur.load(page_names.path_of(folder, name)).round


def test_a_page_goes_on_after_it_was_put_aside(tmp_path: Path) -> None:
    with opened(tmp_path, most_in_memory=2) as pages:
        for name in ("x", "y", "z", "x", "y", "z"):
            visited(pages, name)
        assert pages.n_in_memory == 2
        assert [rounds_of(pages, name) for name in "xyz"] == [2, 2, 2]
        assert list(pages) == ["x", "y", "z"]
        assert len(pages) == 3
        assert "x" in pages
        assert "w" not in pages


def test_the_least_recently_used_page_is_put_aside(tmp_path: Path) -> None:
    with opened(tmp_path, most_in_memory=2) as pages:
        for name in ("x", "y", "x", "z"):
            visited(pages, name)
        assert page_names.names_in(tmp_path) == {"y"}


def test_a_page_in_use_is_not_put_aside(tmp_path: Path) -> None:
    with opened(tmp_path, most_in_memory=1) as pages:
        with pages["x"].policy() as policy:
            visited(pages, "y")
            visited(pages, "z")
            policy.rank()
        with pages["x"].policy() as again:
            assert again.round == 1
        assert pages.n_in_memory == 1


def test_leaving_the_block_writes_every_page(tmp_path: Path) -> None:
    with opened(tmp_path) as pages:
        visited(pages, "x", 3)
        assert page_names.names_in(tmp_path) == set()
    assert rounds_on_disk(tmp_path, "x") == 3
    with opened(tmp_path) as pages:
        assert rounds_of(pages, "x") == 3
        assert pages.save_all() == 1  # the block above may have changed it
        assert pages.save_all() == 0


def test_a_page_is_written_every_so_many_answers(tmp_path: Path) -> None:
    with opened(tmp_path, save_every=3) as pages:
        visited(pages, "x", 2)
        assert page_names.names_in(tmp_path) == set()
        visited(pages, "x", 2)
        assert rounds_on_disk(tmp_path, "x") == 3


CRASH = """
import os, sys
import unirank as ur
pages = ur.Pages(sys.argv[1], policy="unirank", n_positions=2, save_every=10)
page = pages.open("x", items=["a", "b", "c", "d"])
for _ in range(25):
    shown = page.rank()
    page.update(shown, clicks=[])
os._exit(9)
"""


def test_a_crash_loses_only_what_was_learnt_since_the_last_save(tmp_path: Path) -> None:
    assert subprocess.run([sys.executable, "-c", CRASH, str(tmp_path)]).returncode == 9
    assert rounds_on_disk(tmp_path, "x") == 20
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".tmp"]


def test_a_token_is_answered_after_the_page_was_put_aside(tmp_path: Path) -> None:
    with opened(tmp_path, most_in_memory=1, token_key="secret") as pages:
        token = pages["x"].rank().token
        visited(pages, "y")
        pages["x"].update(token, clicks=[])
        visited(pages, "y")
        with pytest.raises(ArgumentError, match="already updated"):
            pages["x"].update(token, clicks=[])


def test_threads_share_pages_and_lose_nothing(tmp_path: Path) -> None:
    names = [f"page {n}" for n in range(6)]
    with opened(tmp_path, most_in_memory=2, save_every=5) as pages:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda n: visited(pages, names[n % 6]), range(240)))
        assert [rounds_of(pages, name) for name in names] == [40] * 6
        for name in names:
            with pages[name].policy() as policy:
                # Every list was answered in the copy that gave it.
                assert len(policy._on_page().unanswered) == 0


def test_items_are_given_on_first_use(tmp_path: Path) -> None:
    with opened(tmp_path, items=None) as pages:
        with pytest.raises(ArgumentError, match=r"^page 'x' is not there yet: give its items"):
            pages["x"].rank()
        assert pages.n_in_memory == 0
        pages.open("x", items=ITEMS).rank()
        pages["x"].rank()
        pages.open("x", items=reversed(ITEMS)).rank()
        with pytest.raises(ArgumentError) as caught:
            pages.open("x", items=["a", "b", "c", "new"]).rank()
    assert str(caught.value) == (
        "items must be those that page 'x' has; new: ['new'], missing: ['d']; leave items out, or "
        "tell its policy: with page.policy() as policy: policy.add(...)"
    )


def test_a_new_page_can_take_the_items_of_another(tmp_path: Path) -> None:
    def items_of(name: str) -> Any:
        if name == "x":
            return ITEMS
        with pages["x"].policy() as policy:
            return policy.items

    with opened(tmp_path, items=items_of) as pages:
        assert set(pages["y"].rank()) <= set(ITEMS)
        assert list(pages) == ["x", "y"]


def test_a_page_that_was_only_read_is_not_written_again(tmp_path: Path) -> None:
    with opened(tmp_path) as pages:
        visited(pages, "x")
    with opened(tmp_path) as pages:
        with pytest.raises(ArgumentError, match="items must be those that page 'x' has"):
            pages.open("x", items=["other", "ones"]).rank()
        assert pages.n_in_memory == 1
        assert pages.save_all() == 0


def test_the_items_of_a_page_can_change(tmp_path: Path) -> None:
    with opened(tmp_path) as pages:
        with pages["x"].policy() as policy:
            policy.add("new")
            policy.remove("a")
        shown = pages.open("x", items=["b", "c", "d", "new"]).rank(available=["b", "new"])
        assert set(shown) == {"b", "new"}


def test_a_new_page_has_the_options_of_all_and_its_own(tmp_path: Path) -> None:
    with opened(tmp_path, policy=("toprank", {"horizon": 50})) as pages:
        with pages["x"].policy() as policy:
            assert policy.options["horizon"] == 50
        with pages.open("y", ITEMS, horizon=70).policy() as policy:
            assert policy.options["horizon"] == 70


def test_clicks_one_by_one_and_closing(tmp_path: Path) -> None:
    with opened(tmp_path) as pages:
        shown = pages["x"].rank()
        pages["x"].click(shown, shown.items[1])
        assert pages["x"].close() == 1


def test_a_folder_of_other_pages_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path) as pages:
        visited(pages, "x")
    for other in ({"policy": "matchrank"}, {"n_positions": 3}):
        with opened(tmp_path, **other) as pages, pytest.raises(ArgumentError) as caught:
            pages["x"].rank()
        assert str(caught.value).startswith("page 'x' is unirank with n_positions=2, not ")


def test_a_damaged_file_is_one_sentence_and_the_others_go_on(tmp_path: Path) -> None:
    page_names.path_of(tmp_path, "x").write_bytes(b"unirank state 2\n")
    with opened(tmp_path) as pages:
        with pytest.raises(StateFileError, match="its checksum does not match"):
            pages["x"].rank()
        visited(pages, "y")


def test_closed_pages_and_wrong_settings_are_refused(tmp_path: Path) -> None:
    pages = opened(tmp_path)
    page = pages["x"]
    pages.close()
    pages.close()
    with pytest.raises(ArgumentError, match=r"^pages must be open, got closed ones"):
        page.rank()
    for wrong, sentence in (
        ({"items": ITEMS}, "^items must be a function of a page's name"),
        ({"most_in_memory": 0}, "^most_in_memory must be >= 1"),
        ({"save_every": 0}, "^save_every must be >= 1"),
        ({"policy": "unrank"}, "did you mean 'unirank'"),
    ):
        with pytest.raises(ArgumentError, match=sentence):
            opened(tmp_path, **wrong)
    opened(tmp_path).close()  # none of them has kept the folder


def test_a_page_that_cannot_be_written_stays_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path, most_in_memory=1) as pages:
        visited(pages, "x", 2)
        with monkeypatch.context() as patched:
            patched.setattr(
                os, "replace", lambda *paths: (_ for _ in ()).throw(OSError(28, "full"))
            )
            with pytest.raises(ArgumentError, match="full"):
                visited(pages, "y")
        assert rounds_of(pages, "x") == 2
