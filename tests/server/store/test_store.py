"""The store, on both databases."""

from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.server.cluster import Cluster, cluster, missing
from tests.server.stores import SETTINGS, Click, opened, view
from unirank.server.store.store import Part, Store


@pytest.fixture(scope="module")
def postgresql() -> Iterator[Cluster | None]:
    if missing():
        yield None
        return
    with cluster("-c fsync=off") as started:
        yield started


@pytest.fixture(params=["sqlite", "postgresql"])
def store(
    request: pytest.FixtureRequest, tmp_path: Path, postgresql: Cluster | None
) -> Iterator[Store]:
    if request.param == "postgresql" and postgresql is None:
        pytest.skip(missing())
    path = tmp_path / "store.sqlite"
    name = request.node.name
    address = str(path) if request.param == "sqlite" or not postgresql else postgresql.url(name)
    with opened(address) as store:
        assert store.create_page("page", SETTINGS) == 1
        yield store


def test_a_page_is_created_once(store: Store) -> None:
    assert store.create_page("page", SETTINGS) is None
    assert [row.name for row in store.pages()] == ["page"]
    row = store.page("page")
    assert row is not None
    assert b'"unirank"' in row.settings


def test_a_click_is_new_once_and_brings_its_ranking(store: Store) -> None:
    click = Click(1, 0)
    assert store.commit([view(1)], [click]).new == {click}
    assert store.commit([view(1)], [click, Click(1, 1)]).new == {Click(1, 1)}
    assert store.close_due(10, now=2000.0) == 1
    (outcome,) = store.log_after(1)
    assert (outcome.view, outcome.clicks) == (view(1), (0, 1))


def test_views_come_back_exactly(store: Store) -> None:
    draw = Random(1)
    given = [
        view(
            draw.getrandbits(62),
            items=draw.choice(
                [["a", 'quote "', "null \0", "\u2028", "\U0001f600"], [-(2**53), 2**53]]
            ),
            memory=draw.randbytes(draw.randrange(40)),
            propensity=draw.choice([None, 1.0, draw.random() * 10.0 ** draw.randint(-300, 0)]),
            shown_at=1.7e9 + 1e8 * draw.random(),
            expires_at=1.7e9 + 1e8 * draw.random(),
            session=draw.randbytes(8),
            place=draw.getrandbits(16),
            available=draw.choice([None, [], ["a", "\0"], [1, "1"]]),
            settings_entry=draw.getrandbits(62),
        )
        for _ in range(2000)
    ]
    store.commit(given)
    assert store.close_due(2000, now=1e11) == 2000
    found = [entry.view for entry in store.log_after(1) if entry.view]
    assert sorted(found, key=attrgetter("id")) == sorted(given, key=attrgetter("id"))


def test_a_view_keeps_the_terms_under_which_it_was_given(store: Store) -> None:
    store.commit([view(1, settings_entry=17)])
    store.close_due(10, now=2000.0)
    assert [e.view.settings_entry for e in store.page_log_after(1, 1) if e.view] == [17]


def test_a_click_on_a_closed_ranking_is_not_written(store: Store) -> None:
    store.commit([view(1)])
    assert store.close_due(10, now=2000.0) == 1
    done = store.commit([view(1)], [Click(1, 0)])
    assert done == (set(), set(), set(), set())
    assert store.close_due(10, now=9000.0) == 0


@pytest.mark.parametrize("other", [{"page": 2}, {"shown_at": 900.0}])
def test_no_other_view_of_a_number_is_clicked(store: Store, other: dict[str, Any]) -> None:
    assert store.create_page("other", SETTINGS) == 2
    store.commit([view(1, **other)])
    done = store.commit([view(1), view(2)], [Click(1, 0), Click(2, 0)], final=[1])
    assert done == ({Click(2, 0)}, {2}, set(), {1})
    assert store.close_due(10, now=1599.0) == 0


def test_of_two_views_of_one_number_in_a_group_neither_has_clicks(store: Store) -> None:
    done = store.commit([view(1), view(1, shown_at=900.0)], [Click(1, 0)])
    assert done == (set(), set(), set(), {1})


def test_a_deferred_view_may_be_reported_twice(store: Store) -> None:
    for shown_at in (1000.0, 1001.0):
        deferred = view(1, shown_at=shown_at, deferred=True)
        assert store.commit([deferred], [Click(1, 0)]).open == {1}


def test_numbers_are_beyond_those_of_the_views_that_are_there(store: Store) -> None:
    store.commit([view(500)])
    assert (store.lease(10), store.lease(10)) == (501, 511)


def test_windows_close_in_order_when_they_are_over(store: Store) -> None:
    store.commit([view(id_, expires_at=100.0 - id_) for id_ in (1, 2, 3)])
    assert store.close_due(10, now=98.0) == 2
    assert store.close_due(10, now=99.0) == 1
    ids = [entry.view.id for entry in store.log_after(1) if entry.view]
    assert ids == [3, 2, 1]
    assert [entry.number for entry in store.log_after(0)] == [1, 2, 3, 4]


def test_a_final_ranking_closes_at_once(store: Store) -> None:
    store.commit([view(1, expires_at=1e12)], final=[1])
    assert store.close_due(10) == 1
    (outcome,) = store.log_after(1)
    assert outcome.view == view(1, expires_at=1e12)  # its window stays what it was
    assert outcome.final_at is not None
    assert outcome.due_at == outcome.final_at < 1e12


def test_an_older_snapshot_never_replaces_a_newer_one(store: Store) -> None:
    store.save_snapshots([(1, 5, b"five")])
    store.save_snapshots([(1, 4, b"four")])
    assert store.snapshot(1) == (5, b"five")


def test_a_snapshot_replaces_another_one_of_the_same_entry(store: Store) -> None:
    store.save_snapshots([(1, 5, b"five")])
    store.save_snapshots([(1, 5, b"readable")])
    assert store.snapshot(1) == (5, b"readable")


def test_the_log_of_a_page_has_no_other_pages_entries(store: Store) -> None:
    assert store.create_page("other", SETTINGS) == 2
    store.commit([view(1, 2), view(2, 1)])
    store.close_due(10)
    assert [entry.page for entry in store.page_log_after(2, 0)] == [2, 2]
    assert [entry.page for entry in store.log_after(0)] == [1, 2, 2, 1]


def test_a_change_that_another_one_came_before_is_not_written(store: Store) -> None:
    store.commit([view(1)])
    store.close_due(10)  # an outcome is no change
    assert store.change_page(1, {"add": ["e"]}, SETTINGS, after=1) == 3
    assert store.change_page(1, {"add": ["f"]}, SETTINGS, after=1) is None
    assert store.change_page(1, {"add": ["f"]}, SETTINGS, after=3) == 4
    assert [entry.change for entry in store.log_after(2)] == [{"add": ["e"]}, {"add": ["f"]}]


def test_nothing_more_is_written_of_a_deleted_page(store: Store) -> None:
    assert store.create_page("other", SETTINGS) == 2
    store.commit([view(1), view(2, 2)], [Click(1, 0)])
    assert store.delete_page("page") == 3
    assert store.delete_page("page") is None
    shown = [view(1), view(2, 2), view(3)]
    done = store.commit(shown, [Click(1, 1), Click(2, 0), Click(3, 0)], final=[1, 2])
    assert done == ({Click(2, 0)}, {2}, {1, 3}, set())
    assert store.close_due(10, now=1e12) == 2  # what was acknowledged stays in its log
    outcomes = {e.page: e.clicks for e in store.log_after(3)}
    assert outcomes == {1: (0,), 2: (0,)}


def test_the_name_of_a_deleted_page_is_free(store: Store) -> None:
    store.delete_page("page")
    assert (store.page("page"), store.pages()) == (None, [])
    assert store.create_page("page", SETTINGS) == 2
    assert store.page_names([1, 2]) == {1: "page/1", 2: "page"}
    assert store.delete_page("page") == 4
    assert store.page_names([1, 2]) == {1: "page/1", 2: "page/2"}


def test_series_count_views_and_clicks_by_time_and_arm(store: Store) -> None:
    store.commit([view(1), view(2, arm="holdout")], [Click(1, 0), Click(1, 1)])
    store.close_due(10, now=2000.0)
    assert store.series(1, 1900.0, 2100.0, 60.0) == [(1, "holdout", 1, 0), (1, "learner", 1, 2)]
    assert store.series(1, 2000.5, 2100.0, 60.0) == []


def test_series_count_a_final_view_when_its_window_is_over(store: Store) -> None:
    store.commit([view(1, expires_at=1e11)], final=[1])
    store.close_due(10)
    assert store.series(1, 0.0, 1e11, 60.0) == []
    assert store.series(1, 1e11, 1e11 + 60.0, 60.0) == [(0, "learner", 1, 0)]


def test_busy_visitors_are_counted_by_session(store: Store) -> None:
    for id_ in (1, 2, 3):
        shown = view(id_, session=b"robot" if id_ < 3 else b"")
        store.commit([shown], [Click(id_, 0), Click(id_, 1)])
        store.close_due(10, now=2000.0)
    assert store.busiest_visitors(1, 3) == [(b"robot", 2, 4, 2000.0, False)]
    store.rebuild_page(1, {"rebuild": {}}, [Part([b"robot".hex()])])
    assert store.busiest_visitors(1, 3) == [(b"robot", 2, 4, 2000.0, True)]
    store.rebuild_page(1, {"rebuild": {}}, [])
    assert store.busiest_visitors(1, 3) == [(b"robot", 2, 4, 2000.0, False)]
    assert store.busiest_visitors(1, 4) == []


def test_rankings_are_left_out_by_session_and_by_time(store: Store) -> None:
    shown = [
        view(1, session=b"\x0a"),
        view(2, session=b"\x0b"),
        view(3, session=b"\x0a", shown_at=5.0),
    ]
    store.commit(shown)
    store.close_due(10, now=2000.0)
    done = store.rebuild_page(1, {"rebuild": {}}, [Part(["0a", "0c"], start=100.0)])
    assert done is not None
    assert (done.n_left_out, done.sessions) == (1, {"0a"})
    assert left_out(store) == [1]
    store.rebuild_page(1, {"rebuild": {}}, [Part(["0b"]), Part(end=100.0)])
    assert left_out(store) == [2, 3]
    assert store.log_after(0)[-1].change == {"rebuild": {}}
    store.rebuild_page(1, {"rebuild": {}}, [Part()])
    assert left_out(store) == []


def left_out(store: Store) -> list[int]:
    return sorted(e.view.id for e in store.log_after(0) if e.view and e.left_out)


def test_a_view_whose_window_is_open_is_left_out_when_it_closes(store: Store) -> None:
    store.commit([view(1, session=b"\x0a"), view(2)])
    store.rebuild_page(1, {"rebuild": {}}, [Part(["0a"])])
    store.commit([view(3, session=b"\x0a")])  # shown after it
    store.close_due(10, now=2000.0)
    assert left_out(store) == [1]


def test_a_visitor_first_counted_after_a_rebuild_is_left_out_with_its_list(store: Store) -> None:
    store.commit([view(1, session=b"\x0a")], [Click(1, 0)])
    store.rebuild_page(1, {"rebuild": {}}, [Part(["0a"])])
    store.close_due(10, now=2000.0)
    assert store.busiest_visitors(1, 0) == [(b"\x0a", 1, 1, 2000.0, True)]


def test_a_rebuild_brings_back_and_leaves_out_at_once(store: Store) -> None:
    store.commit([view(id_, session=bytes([id_])) for id_ in (1, 2, 3)])
    store.close_due(10, now=2000.0)
    store.rebuild_page(1, {"rebuild": {}}, [Part(["01"]), Part(["02"])])
    done = store.rebuild_page(1, {"rebuild": {}}, [Part(["02"]), Part(["03"])])
    assert done is not None
    assert (done.n_left_out, done.sessions, left_out(store)) == (2, {"02", "03"}, [2, 3])


def test_a_rebuild_after_another_change_is_none(store: Store) -> None:
    last = store.last_number()
    store.rebuild_page(1, {"rebuild": {}}, [])
    assert store.rebuild_page(1, {"rebuild": {}}, [Part(end=1e9)], after=last) is None
    assert store.last_number() == last + 1


def test_series_have_nothing_that_is_left_out(store: Store) -> None:
    store.commit([view(1), view(2, shown_at=5.0)])
    store.close_due(10, now=2000.0)
    store.rebuild_page(1, {"rebuild": {}}, [Part(end=100.0)])
    assert store.series(1, 1900.0, 2100.0, 60.0) == [(1, "learner", 1, 0)]
