import logging
from pathlib import Path

import pytest

from tests.server.process import eventually
from tests.server.stores import SETTINGS, impression, opened
from unirank.server.closing import CLOSED_AT_ONCE, Closing
from unirank.server.pages import Pages
from unirank.server.store.database import StoreUnavailable


def test_windows_become_outcomes_and_are_folded(tmp_path: Path) -> None:
    with opened(tmp_path / "c.sqlite") as store:
        assert store.create_page("page", SETTINGS) == 1
        pages = Pages(store, b"secret")
        page = pages.load("page")
        store.commit([impression(1), impression(2, expires_at=1e12)])
        done: list[int] = []
        closing = Closing(store, pages, tick=0.01, chores=[lambda: done.append(1)])
        closing.start()
        assert page is not None
        eventually(lambda: page.learner.totals == {"learner": (1, 0)})
        closing.stop(5.0)
        assert done


def test_trouble_is_said_once_and_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(tmp_path / "c.sqlite") as store:
        troubles: list[int] = []
        closing = Closing(
            store, Pages(store, b"s"), tick=0.001, on_trouble=lambda: troubles.append(1)
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


def test_a_backlog_holds_up_neither_chores_nor_learning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process whose numbers were not renewed for a minute could give no lists any more."""
    monkeypatch.setattr("unirank.server.closing.CHORES_EVERY", 0.0)
    with opened(tmp_path / "c.sqlite") as store:
        assert store.create_page("page", SETTINGS) == 1
        pages = Pages(store, b"secret")
        page = pages.load("page")
        assert page is not None
        store.commit([impression(id_) for id_ in range(1, 3 * CLOSED_AT_ONCE + 1)])
        learnt: list[int] = []
        Closing(store, pages, chores=[lambda: learnt.append(page.learner.views)]).once()
        assert learnt == [0, CLOSED_AT_ONCE, 2 * CLOSED_AT_ONCE, 3 * CLOSED_AT_ONCE]
