"""Pages in memory: loading, following, putting aside, snapshots."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Event, Thread

import msgspec
import pytest

from tests.server.stores import SETTINGS, Click, RankRequest, opened
from unirank.server.learner import Learner
from unirank.server.loaded_pages import LoadedPage, LoadedPages, restored
from unirank.server.store.database import StoreUnavailable
from unirank.server.store.store import Entry, PageRow, Part, Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "p.sqlite") as store:
        for name in ("one", "two", "three"):
            assert store.create_page(name, SETTINGS)
        yield store


def visit(store: Store, page: LoadedPage, number: int) -> None:
    """Show a list, click its first item, close it."""
    shown = page.serving.view(number, RankRequest(), b"", number / 1000)
    store.commit([shown], [Click(number, 0)])
    store.close_due(100)


def replayed(store: Store, name: str) -> bytes:
    row = store.page(name)
    assert row is not None
    learner = Learner(row)
    for entry in store.page_log_after(row.number, 0):
        learner.fold(entry)
    return learner.to_bytes()


def loaded(pages: LoadedPages, name: str) -> LoadedPage:
    page = pages.load(name)
    assert page is not None
    return page


def test_two_processes_and_a_replay_have_the_same_state(store: Store) -> None:
    one, two = LoadedPages(store, b"secret"), LoadedPages(store, b"secret")
    here, there = loaded(one, "one"), loaded(two, "one")
    for number in range(1, 40):
        visit(store, here if number % 3 else there, number)
        if number % 5 == 0:
            one.follow()
        if number % 7 == 0:
            two.follow()
    one.follow()
    two.follow()
    assert here.learner.to_bytes() == there.learner.to_bytes() == replayed(store, "one")
    assert here.learner.totals["learner"][0] + here.learner.totals.get("holdout", (0, 0))[0] == 39


def test_an_entry_that_one_page_cannot_fold_does_not_stop_the_others(store: Store) -> None:
    pages = LoadedPages(store, b"secret")
    broken, sound = loaded(pages, "one"), loaded(pages, "two")
    store.change_page(broken.row.number, {"settings": {"items": 7}}, SETTINGS)
    visit(store, sound, 1)
    pages.follow()
    assert sound.learner.to_bytes() == replayed(store, "two")
    assert pages.get("one") is None
    assert pages.cursor == store.last_number()


def test_a_page_that_was_put_aside_goes_on_where_it_was(store: Store) -> None:
    pages = LoadedPages(store, b"secret", most_in_memory=1)
    page = loaded(pages, "one")
    visit(store, page, 1)
    pages.follow()
    loaded(pages, "two")
    assert (len(pages), pages.get("one")) == (1, None)
    assert pages.save() == 2
    visit(store, page, 2)
    again = loaded(pages, "one")
    assert again.saved > 0
    assert again.learner.to_bytes() == replayed(store, "one")


def test_what_was_folded_before_loading_is_not_folded_again(store: Store) -> None:
    pages = LoadedPages(store, b"secret")
    other = LoadedPages(store, b"secret")
    visit(store, loaded(other, "one"), 1)
    page = loaded(pages, "one")
    assert pages.follow() == 1
    assert page.learner.to_bytes() == replayed(store, "one")


def test_a_rebuild_learns_without_what_is_left_out(store: Store) -> None:
    pages = LoadedPages(store, b"secret")
    page = loaded(pages, "one")
    for number in range(1, 20):
        visit(store, page, number)
    pages.follow()
    before = page.learner.round
    store.rebuild_page(page.row.number, {"rebuild": {}}, [Part(end=1e9)])
    pages.follow()
    assert pages.rebuild() == 1
    assert (before > 0, page.learner.round, page.learner.totals) == (True, 0, {})
    assert page.learner.to_bytes() == replayed(store, "one")


def test_a_rebuild_that_comes_while_a_page_is_loaded_is_done_afterwards(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, pages = LoadedPages(store, b"secret"), LoadedPages(store, b"secret")
    number = loaded(first, "one").row.number
    visit(store, loaded(first, "one"), 1)
    caught_up = pages._caught_up

    def meanwhile(learner: Learner, row: PageRow) -> Learner:
        found = caught_up(learner, row)
        store.rebuild_page(number, {"rebuild": {}}, [Part(end=1e9)])
        return found

    monkeypatch.setattr(pages, "_caught_up", meanwhile)
    page = loaded(pages, "one")
    assert (page.is_old, page.learner.views) == (True, 1)
    assert pages.rebuild() == 1
    assert page.learner.to_bytes() == replayed(store, "one")


def test_the_log_of_a_page_is_not_read_to_its_end_when_the_service_stops(store: Store) -> None:
    pages = LoadedPages(store, b"secret")
    visit(store, loaded(LoadedPages(store, b"secret"), "one"), 1)
    pages.is_stopping = True
    with pytest.raises(StoreUnavailable, match="the service stops"):
        pages.load("one")


def test_there_is_no_other_page(store: Store) -> None:
    assert LoadedPages(store, b"secret").load("four") is None


def test_a_page_that_another_process_deleted_is_gone(store: Store) -> None:
    here, there = LoadedPages(store, b"secret"), LoadedPages(store, b"secret")
    old = loaded(there, "one")
    loaded(here, "one")
    store.delete_page("one")
    here.catch_up()
    assert (here.get("one"), here.load("one")) == (None, None)
    assert store.create_page("one", SETTINGS)
    there.catch_up()
    assert loaded(there, "one").row.number != old.row.number
    assert len(there) == 1


def test_a_page_that_is_deleted_while_it_is_loaded_is_not_there(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages, row = LoadedPages(store, b"secret"), store.page("one")
    store.delete_page("one")
    pages.catch_up()
    monkeypatch.setattr(store, "page", lambda name: row)  # it was read before
    assert (pages.load("one"), len(pages)) == (None, 0)


def test_an_unchanged_page_is_not_written_again(store: Store) -> None:
    pages = LoadedPages(store, b"secret")
    loaded(pages, "one")
    assert (pages.save(), pages.save()) == (1, 0)


def test_snapshots_that_come_too_late_are_left_to_the_log(store: Store) -> None:
    pages = LoadedPages(store, b"secret")
    loaded(pages, "one")
    assert (pages.save(until=0.0), store.snapshot(1)) == (0, None)
    assert pages.save() == 1


def test_a_transaction_of_snapshots_has_one_large_page_or_many_small_ones(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []
    save = store.save_snapshots

    def counted(snapshots: list[tuple[int, int, bytes]]) -> None:
        written.append(len(snapshots))
        save(snapshots)

    pages = LoadedPages(store, b"secret")
    for name in ("one", "two", "three"):
        loaded(pages, name)
    monkeypatch.setattr(store, "save_snapshots", counted)
    assert pages.save() == 3
    monkeypatch.setattr("unirank.server.loaded_pages.SAVED_AT_ONCE", 100)
    for name in ("one", "two", "three"):
        visit(store, loaded(pages, name), ord(name[1]))
    pages.follow()
    assert pages.save() == 3
    assert [n for n in written if n] == [3, 1, 1, 1]


def test_a_snapshot_is_packed_and_one_that_is_not_is_read(store: Store) -> None:
    pages = LoadedPages(store, b"secret")
    page = loaded(pages, "one")
    visit(store, page, 1)
    pages.follow()
    pages.save()
    found, whole = store.snapshot(1), page.learner.to_bytes()
    assert found is not None
    assert len(found[1]) < len(whole)
    for state in (found[1], whole):
        assert restored(page.row, (found[0], state)).to_bytes() == whole


def test_a_snapshot_that_cannot_be_read_is_replaced_by_the_log(store: Store) -> None:
    pages = LoadedPages(store, b"secret")
    visit(store, loaded(pages, "one"), 1)
    store.save_snapshots([(1, 2, b"nonsense")])
    again = loaded(LoadedPages(store, b"secret"), "one")
    assert again.learner.to_bytes() == replayed(store, "one")


def test_a_snapshot_that_cannot_be_read_is_written_again(store: Store) -> None:
    visit(store, loaded(LoadedPages(store, b"secret"), "one"), 1)
    store.save_snapshots([(1, store.last_number(), b"nonsense")])
    pages = LoadedPages(store, b"secret")
    page = loaded(pages, "one")
    assert pages.save() == 1
    found = store.snapshot(1)
    assert restored(page.row, found).to_bytes() == replayed(store, "one")
    assert loaded(LoadedPages(store, b"secret"), "one").saved == page.saved == store.last_number()


def test_a_page_learns_again_later_if_the_store_fails(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = LoadedPages(store, b"secret")
    one, two = loaded(pages, "one"), loaded(pages, "two")
    visit(store, one, 1)
    visit(store, two, 2)
    pages.catch_up()
    store.rebuild_page(two.row.number, {"rebuild": {}}, [Part(end=1e9)])
    pages.catch_up()

    def fails(*_: object) -> Iterator[Entry]:
        raise StoreUnavailable("gone")

    with monkeypatch.context() as without:
        without.setattr(store, "page_log_after", fails)
        with pytest.raises(StoreUnavailable):
            pages.rebuild()
    assert (two.is_old, two.learner.views, one.learner.views) == (True, 1, 1)
    assert pages.rebuild() == 1
    assert two.learner.to_bytes() == replayed(store, "two")


def test_a_page_serves_and_follows_the_log_while_it_learns_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the whole log nothing is replayed under the lock: meanwhile others go on, and changes."""
    pages = LoadedPages(store, b"secret")
    page, other = loaded(pages, "one"), loaded(pages, "two")
    for number in range(1, 20):
        visit(store, page, number)
    pages.catch_up()
    store.rebuild_page(page.row.number, {"rebuild": {}}, [Part(end=10 / 1000)])
    pages.catch_up()
    begun, may_end, read = Event(), Event(), store.page_log_after

    def slowly(*where: int) -> Iterator[Entry]:
        begun.set()
        yield from read(*where)
        may_end.wait(10)

    monkeypatch.setattr(store, "page_log_after", slowly)
    thread = Thread(target=pages.rebuild)
    thread.start()
    begun.wait(10)
    visit(store, other, 20)
    store.change_page(page.row.number, {"add": ["new"]}, SETTINGS)
    pages.catch_up()
    assert other.learner.views == 1
    assert (page.serving.items[-1], page.learner.views) == ("new", 19)
    assert pages.save() == 1  # of the other: what is old is not kept
    store.rebuild_page(page.row.number, {"rebuild": {}}, [Part(end=5 / 1000)])
    may_end.set()
    thread.join(10)
    pages.catch_up()
    pages.rebuild()
    monkeypatch.undo()
    assert (page.is_old, page.learner.views) == (False, 15)
    assert page.learner.to_bytes() == replayed(store, "one")
    assert pages.save() == 1


@pytest.mark.parametrize("policy", ["unirank", "matchrank"])
def test_processes_agree_whatever_happens_to_a_page(store: Store, policy: str) -> None:
    """Visits, changes of items and settings, rebuilds, snapshots and restarts, in any order."""
    chance = Random(3)
    settings = msgspec.structs.replace(SETTINGS, policy=policy)
    number = store.create_page("any", settings)
    assert number is not None
    processes = [LoadedPages(store, b"secret") for _ in range(3)]
    extra = [f"x{n}" for n in range(5)]
    for visitor in range(1, 301):
        pages = chance.choice(processes)
        visit(store, loaded(pages, "any"), visitor)
        what = chance.random()
        if what < 0.02 and extra:
            store.change_page(number, {"add": [extra.pop()], "remove": ["a"]}, settings)
        elif what < 0.04:
            store.change_page(number, {"add": ["a"]}, settings)
        elif what < 0.05:
            store.rebuild_page(number, {"rebuild": {}}, [Part(None, chance.random(), 1.0)])
        elif what < 0.1:
            pages.save()
        elif what < 0.13:
            processes[processes.index(pages)] = LoadedPages(store, b"secret")
        if what > 0.5:
            chance.choice(processes).follow()
        if what > 0.9:
            chance.choice(processes).rebuild()
    states = set()
    for pages in processes:
        page = loaded(pages, "any")
        while pages.follow() + pages.rebuild():
            pass
        states.add(page.learner.to_bytes())
    assert states == {replayed(store, "any")}
