import logging
from pathlib import Path
from threading import Event
from time import time

import pytest

from tests.server.process import eventually
from tests.server.stores import SETTINGS, opened, view
from unirank.server.closing import CLOSED_AT_ONCE, Closing
from unirank.server.loaded_pages import LoadedPages
from unirank.server.store.database import StoreUnavailable


def test_windows_become_outcomes_and_are_folded(tmp_path: Path) -> None:
    with opened(tmp_path / "c.sqlite") as store:
        assert store.create_page("page", SETTINGS) == 1
        pages = LoadedPages(store, b"secret")
        page = pages.load("page")
        store.commit([view(1), view(2, expires_at=1e12)])
        done: list[int] = []
        closing = Closing(store, pages, tick=0.01, chores=[lambda: done.append(1)])
        closing.start()
        assert page is not None
        eventually(lambda: page.learner.totals == {"learner": (1, 0)} and done)
        closing.stop(5.0)


def test_trouble_is_said_once_and_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(tmp_path / "c.sqlite") as store:
        troubles: list[int] = []
        closing = Closing(
            store, LoadedPages(store, b"s"), tick=0.001, on_trouble=lambda: troubles.append(1)
        )

        def fails(*_: object) -> int:
            raise StoreUnavailable("the disk is full")

        with caplog.at_level(logging.WARNING, "unirank.server"):
            with monkeypatch.context() as full:
                full.setattr(store, "close_due", fails)
                closing.start()
                eventually(lambda: len(troubles) > 3)
            eventually(lambda: "answers again" in caplog.text)
            closing.stop(5.0)
        assert caplog.text.count("the disk is full") == 1
        assert caplog.text.count("the database answers again") == 1


def test_a_backlog_is_learnt_while_it_is_closed(tmp_path: Path) -> None:
    with opened(tmp_path / "c.sqlite") as store:
        assert store.create_page("page", SETTINGS) == 1
        pages = LoadedPages(store, b"secret")
        page = pages.load("page")
        assert page is not None
        n = 3 * CLOSED_AT_ONCE
        store.commit([view(id_) for id_ in range(1, n + 1)])
        views: list[int] = []
        follow = pages.follow
        pages.follow = lambda: (follow(), views.append(page.learner.views))[0]  # type: ignore[method-assign, func-returns-value]
        Closing(store, pages).once()
        assert views == [CLOSED_AT_ONCE, 2 * CLOSED_AT_ONCE, n, n]


def test_what_was_final_is_compared_once_its_window_is_over_though_nobody_comes(
    tmp_path: Path,
) -> None:
    with opened(tmp_path / "c.sqlite") as store:
        store.create_page("page", SETTINGS)
        pages = LoadedPages(store, b"secret")
        page = pages.load("page")
        assert page is not None
        end = time() + 0.2
        store.commit([view(1, settings_entry=1, shown_at=end - 600, expires_at=end)], final=[1])
        closing = Closing(store, pages)

        def n_waiting() -> int:
            closing.close()
            return pages.tallies(page).compared.n_held

        assert n_waiting() == 1
        eventually(lambda: n_waiting() == 0)


@pytest.mark.parametrize("stuck", ["follow", "rebuild"])
def test_neither_a_backlog_nor_a_rebuild_holds_up_chores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stuck: str
) -> None:
    """A process whose numbers were not renewed for a minute could give no lists any more."""
    monkeypatch.setattr("unirank.server.closing.CHORES_EVERY", 0.001)
    with opened(tmp_path / "c.sqlite") as store:
        pages, done, may_end = LoadedPages(store, b"secret"), list[int](), Event()
        begun = Event()

        def waits() -> int:
            begun.set()
            return may_end.wait(10) * 0

        monkeypatch.setattr(pages, stuck, waits)
        closing = Closing(store, pages, tick=0.001, chores=[lambda: done.append(1)])
        closing.start()
        begun.wait(10)
        n_done = len(done)
        eventually(lambda: len(done) > n_done + 2)
        may_end.set()
        closing.stop(5.0)
