"""The service inside the process of the test: one call each."""

import asyncio
import logging
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from threading import Event, get_ident
from time import sleep, time
from typing import Any

import msgspec
import pytest

from tests.server.stores import SETTINGS, service_on
from unirank.errors import ArgumentError
from unirank.server.api import (
    ClickReport,
    Holdout,
    ItemsChange,
    PageRequest,
    PageSettings,
    PageSummary,
    RankRequest,
    Rebuild,
    Without,
)
from unirank.server.pages import Page
from unirank.server.service import Conflict, NotFound, NotLoaded, Service, check_settings
from unirank.server.store.database import StoreUnavailable
from unirank.server.store.opening import open_store
from unirank.server.store.store import PageRow
from unirank.server.tokens import unsealed
from unirank.server.view import ItemId


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with service_on(tmp_path / "s.sqlite") as service:
        yield service


def test_settings_that_may_change_change_and_others_conflict(service: Service) -> None:
    async def ask() -> None:
        assert (await service.put_page("p", SETTINGS)).created
        assert not (await service.put_page("p", SETTINGS)).created
        changed = msgspec.structs.replace(SETTINGS, mode="observe", holdout=Holdout(0.1))
        await service.put_page("p", changed)
        assert (await service.page("p")).serving.settings.mode == "observe"
        other = msgspec.structs.replace(SETTINGS, policy="matchrank")
        with pytest.raises(Conflict, match="has policy 'unirank'"):
            await service.put_page("p", other)
        with pytest.raises(Conflict, match="PATCH"):
            await service.put_page("p", msgspec.structs.replace(SETTINGS, items=["a", "b"]))

    asyncio.run(ask())


def test_options_without_a_policy_are_those_of_the_page(service: Service) -> None:
    items: list[ItemId] = ["a", "b", "c"]

    async def ask() -> None:
        made = PageRequest(items, 2, policy="epsilon-greedy", options={"epsilon": 0.2})
        assert (await service.put_page("p", made)).created
        again = PageRequest(items, 2, options={"epsilon": 0.2})  # matchrank has no such option
        assert not (await service.put_page("p", again)).created
        with pytest.raises(Conflict, match="has options"):
            await service.put_page("p", PageRequest(items, 2, options={"epsilon": 0.3}))

    asyncio.run(ask())


def windows_over(service: Service) -> None:
    """Let the windows of all lists that were shown be over."""
    while service.store.close_due(100, time() + 3600.0):
        pass
    service.pages.catch_up()


async def visited(service: Service, n: int) -> None:
    """n visitors of the page p, each with a click."""
    for _ in range(n):
        shown = await service.rank("p", RankRequest())
        await service.clicks([ClickReport(shown.token, shown.items[:1])])
    windows_over(service)


STARTED = msgspec.structs.replace(SETTINGS, start=["d", "c", "b", "a"])


@pytest.mark.parametrize("change", [{"window_s": 5.0}, {"mode": "frozen"}])
def test_a_lift_goes_on_after_items_and_settings_changed(
    service: Service, change: dict[str, Any]
) -> None:
    async def ask() -> None:
        await service.put_page("p", STARTED)
        await visited(service, 10)
        await service.change_items("p", ItemsChange(add=["e"], remove=["c"]))
        items: list[ItemId] = ["a", "b", "d", "e"]
        await service.put_page("p", PageRequest(items, 2, **change))
        await service.put_page("p", PageRequest(items, 2, mode="learn"))
        await visited(service, 10)
        found = await service.summary("p")
        assert found.settings.start == ["d", "b", "a", "e"]
        assert (found.lift.left_out, sum(arm.views for arm in found.lift.arms.values())) == (0, 20)

    asyncio.run(ask())


def test_old_items_are_a_conflict_on_a_page_with_start(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", STARTED)
        await service.change_items("p", ItemsChange(add=["e"], remove=["c"]))
        with pytest.raises(Conflict, match=r"has other items: .* change them with PATCH"):
            await service.put_page("p", PageRequest(SETTINGS.items, 2))

    asyncio.run(ask())


def test_items_in_another_order_are_a_conflict_that_names_start(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        with pytest.raises(Conflict, match=r"in another order, .* and a new order as `start`"):
            await service.put_page("p", PageRequest(list("bacd"), 2))
        await service.put_page("p", PageRequest(list("bacd"), 2, start=list("dcba")))
        found = (await service.summary("p")).settings
        assert (found.items, found.start) == (SETTINGS.items, list("dcba"))

    asyncio.run(ask())


def test_the_order_of_items_does_not_matter_beside_a_start(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", STARTED)
        await service.put_page("p", PageRequest(list("bacd"), 2))

    asyncio.run(ask())
    assert service.store.last_number() == 1


def test_an_item_that_comes_back_has_its_old_place_in_start(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", STARTED)
        await service.change_items("p", ItemsChange(remove=["c"]))
        await service.put_page("p", PageRequest(["a", "b", "d"], 2, window_s=5.0))
        found = await service.change_items("p", ItemsChange(add=["c"]))
        assert found.settings.start == STARTED.start

    asyncio.run(ask())


def test_another_start_is_another_comparison_though_items_changed(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", STARTED)
        await visited(service, 3)
        await service.change_items("p", ItemsChange(add=["e"]))
        await service.put_page("p", PageRequest(list("abcde"), 2, start=list("edcba")))
        assert (await service.summary("p")).lift.left_out == 3

    asyncio.run(ask())


@pytest.mark.parametrize(
    "settings",
    [STARTED, msgspec.structs.replace(SETTINGS, options={"start": ["d", "c"], "trust": 9})],
)
def test_a_page_whose_items_changed_is_loaded_by_a_new_process(
    service: Service, tmp_path: Path, settings: PageSettings
) -> None:
    async def ask(later: Service) -> None:
        await service.put_page("p", settings)
        await service.change_items("p", ItemsChange(add=["e"], remove=["c"]))
        assert (await later.rank("p", RankRequest())).items

    with service_on(tmp_path / "s.sqlite") as later:
        asyncio.run(ask(later))


def test_of_two_changes_at_once_neither_is_lost(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        sent: list[dict[str, Any]] = [{"window_s": 5.0}, {"mode": "observe"}]
        changes = (service.put_page("p", PageRequest(SETTINGS.items, 2, **each)) for each in sent)
        await asyncio.gather(*changes)
        found = (await service.summary("p")).settings
        assert (found.window_s, found.mode) == (5.0, "observe")

    asyncio.run(ask())


def test_changes_at_once_leave_as_many_items_as_are_shown(service: Service) -> None:
    async def ask() -> list[PageSummary | BaseException]:
        await service.put_page("p", SETTINGS)
        removals = (ItemsChange(remove=[item]) for item in SETTINGS.items)
        changes = [service.change_items("p", each) for each in removals]
        return await asyncio.gather(*changes, return_exceptions=True)

    found = asyncio.run(ask())
    assert sum(isinstance(each, ArgumentError) for each in found) == 2
    assert len(asyncio.run(service.summary("p")).items) == 2


def test_who_is_never_first_is_told_to_try_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        monkeypatch.setattr(service.store, "change_page", lambda *_: None)
        with pytest.raises(Conflict, match="changed by others all the time: send the change again"):
            await service.change_items("p", ItemsChange(add=["e"]))

    asyncio.run(ask())


def test_a_change_of_items_is_tried_beside_the_event_loop(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[int] = set()
    monkeypatch.setattr("unirank.server.service._each", lambda *_: threads.add(get_ident()))

    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        await service.change_items("p", ItemsChange(add=["e"]))

    asyncio.run(ask())
    assert threads
    assert get_ident() not in threads


def test_settings_that_change_nothing_leave_no_trace_in_the_log(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        await service.put_page("p", SETTINGS)

    asyncio.run(ask())
    assert service.store.last_number() == 1


def test_a_click_brings_back_a_list_that_was_lost(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest(defer=True))  # nobody writes it
        answer = await service.clicks([ClickReport(shown.token, shown.items[:1], final=True)])
        assert answer.accepted == 1
        service.closing.once()
        assert (await service.summary("p")).clicks == 1

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("n_positions", "available", "name"), [(2, 700, "available"), (700, None, "n_positions")]
)
def test_a_list_whose_clicks_could_not_be_reported_is_not_given(
    service: Service, n_positions: int, available: int | None, name: str
) -> None:
    items: list[ItemId] = [f"{n:0100}" for n in range(700)]

    async def ask() -> None:
        await service.put_page("p", PageSettings(items, n_positions, policy="random"))
        asked = RankRequest(None if available is None else items[:available])
        words = rf"^{name} must let a list fit into a token of 64000 letters, got \d+: take fewer"
        with pytest.raises(ArgumentError, match=words):
            await service.rank("p", asked)
        assert service.writer.n_behind == 0

    asyncio.run(ask())


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A time that tests set: of requests and of the store."""
    now = [1.8e9]
    for module in ("service", "store.store"):
        monkeypatch.setattr(f"unirank.server.{module}.time", lambda: now[0])
    return now


def test_a_deferred_list_that_is_shown_days_later_can_be_clicked(
    service: Service, clock: list[float]
) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest(defer=True))
        clock[0] += 6 * 86400
        await service.shown(shown.token)
        clock[0] += SETTINGS.window_s - 1
        assert (await service.clicks([ClickReport(shown.token, shown.items[:1])])).accepted == 1
        clock[0] += 2
        service.closing.once()
        assert (await service.clicks([ClickReport(shown.token, shown.items[1:])])).late == 1
        found = await service.summary("p")
        assert (found.views, found.clicks) == (1, 1)

    asyncio.run(ask())


def test_a_list_is_deferred_for_a_week_at_most(service: Service, clock: list[float]) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest(defer=True))
        clock[0] += 8.5 * 86400
        words = "asked for at most 7 days ago, got one of 8.5 days ago: ask for a new list"
        with pytest.raises(ArgumentError, match=words):
            await service.shown(shown.token)
        assert (await service.clicks([ClickReport(shown.token, shown.items[:1])])).late == 1

    asyncio.run(ask())


def test_a_report_of_the_longest_token_is_taken(service: Service) -> None:
    items: list[ItemId] = [f"{n:0100}" for n in range(455)]

    async def ask() -> None:
        await service.put_page("p", PageSettings(items, 2, policy="random"))
        shown = await service.rank("p", RankRequest(items))
        report = ClickReport(shown.token, shown.items[:1])
        assert 60_000 < len(shown.token) <= 64_000
        assert len(msgspec.json.encode(report)) < 64 * 1024
        assert msgspec.json.decode(msgspec.json.encode(report), type=ClickReport) == report

    asyncio.run(ask())


def test_only_a_deferred_list_is_reported_as_shown(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest())
        with pytest.raises(ArgumentError, match="it counts without this report"):
            await service.shown(shown.token)

    asyncio.run(ask())


def test_a_final_report_without_clicks_teaches_that_nothing_was_clicked(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest())
        answer = await service.clicks([ClickReport(shown.token, [], final=True)])
        assert (answer.accepted, answer.late) == (0, 0)
        service.closing.once()
        found = await service.summary("p")
        assert (found.views, found.clicks) == (1, 0)

    asyncio.run(ask())


def test_a_final_report_teaches_at_once_and_is_compared_when_its_window_is_over(
    service: Service,
) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest())
        report = ClickReport(shown.token, shown.items[:1], final=True)
        assert (await service.clicks([report, report])).accepted == 1
        service.closing.once()
        now = time()
        found = await service.summary("p")
        assert (found.views, found.clicks, found.lift.waiting, found.lift.arms) == (1, 1, 1, {})
        assert (await service.series("p", now - 900, now + 900, 900)).points == []
        later = await service.rank("p", RankRequest())
        await service.clicks([ClickReport(later.token, later.items[:1])])
        windows_over(service)
        found = await service.summary("p")
        compared = sum(arm.views for arm in found.lift.arms.values())
        assert (found.views, found.lift.waiting, compared) == (2, 0, 2)

    asyncio.run(ask())


def test_a_click_on_something_else_is_rejected_and_the_rest_counts(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest())
        good = ClickReport(shown.token, shown.items[:1])
        answer = await service.clicks([ClickReport(shown.token, ["mug"]), good])
        assert answer.accepted == 1
        assert [each.index for each in answer.rejected] == [0]
        assert "clicks must be among the shown" in answer.rejected[0].reason

    asyncio.run(ask())


def test_to_compile_a_policy_takes_as_long_as_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does for the first page of a policy, on a new machine."""

    async def ask(first: Service, later: Service) -> None:
        await first.put_page("p", SETTINGS)
        monkeypatch.setattr("unirank.server.service.STORE_TIMEOUT", 1.0)
        monkeypatch.setattr("unirank.server.pages.compile_policy", lambda _: sleep(1.5))
        assert (await later.rank("p", RankRequest())).items

    path = tmp_path / "c.sqlite"
    with service_on(path) as first, service_on(path) as later:
        asyncio.run(ask(first, later))


def test_a_page_with_a_long_log_is_loaded_once_and_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end = list[str](), Event()

    async def ask(first: Service, later: Service) -> None:
        for name in "pqr":
            await first.put_page(name, SETTINGS)
        load = later.pages.load

        def slowly(name: str, row: PageRow | None = None) -> Page | None:
            begun.append(name)
            if name == "p":
                may_end.wait(10)
            return load(name, row)

        monkeypatch.setattr(later.pages, "load", slowly)
        with monkeypatch.context() as impatient:
            impatient.setattr("unirank.server.service.STORE_TIMEOUT", 0.2)
            for _ in range(8):  # each after the one before was told that it takes long
                with pytest.raises(NotLoaded, match="page 'p' is being loaded"):
                    await later.rank("p", RankRequest())
            assert begun == ["p"]
            await later.check_store()
            assert (await later.rank("q", RankRequest())).items
            found = await later.summaries("", 10)
            assert ([page.page for page in found.pages], found.loading[:1]) == (["q"], ["p"])
        assert begun.count("p") == 1
        may_end.set()
        assert (await later.rank("p", RankRequest())).items

    path = tmp_path / "l.sqlite"
    with service_on(path) as first, service_on(path) as later:
        asyncio.run(ask(first, later))


def test_durable_lists_are_on_disk_when_they_are_given(tmp_path: Path) -> None:
    async def ask(durable: Service) -> None:
        await durable.put_page("p", msgspec.structs.replace(SETTINGS, window_s=1e-6))
        for n in range(1, 6):
            await durable.rank("p", RankRequest())
            assert durable.store.close_due(10) == 1, n

    with service_on(tmp_path / "d.sqlite", durable_views=True) as service_:
        asyncio.run(ask(service_))


def test_lists_that_could_not_be_written_at_the_end_are_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> None:
        raise StoreUnavailable("the disk is full")

    service = Service(open_store(str(tmp_path / "s.sqlite")))
    asyncio.run(service.put_page("p", SETTINGS))
    monkeypatch.setattr(service.store, "commit", fails)
    asyncio.run(service.rank("p", RankRequest()))
    with caplog.at_level(logging.ERROR, "unirank.server"):
        service.stop()
    assert caplog.messages == [
        "1 lists are not written, as the database does not answer in time: those without a click "
        "are lost"
    ]


def test_no_session_is_in_the_store(service: Service, tmp_path: Path) -> None:
    async def ask() -> str:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest(session="visitor-4711"))
        await service.clicks([ClickReport(shown.token, shown.items)])
        return shown.token

    token = asyncio.run(ask())
    assert len(unsealed(token, service._token_key).session) == 8
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"visitor-4711" not in written


def test_a_wrong_change_of_items_changes_nothing(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        with pytest.raises(ArgumentError, match=r"^add\[1\] must be new, got 'a'"):
            await service.change_items("p", ItemsChange(add=["e", "a"]))
        assert (await service.summary("p")).items == ["a", "b", "c", "d"]

    asyncio.run(ask())


def test_removing_too_many_items_names_the_field_and_the_way_out(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        words = (
            r"^remove must leave at least n_positions=2 items, got \['a', 'b', 'c'\], which leaves "
            r"1: add other items first, or delete the page$"
        )
        with pytest.raises(ArgumentError, match=words):
            await service.change_items("p", ItemsChange(remove=["a", "b", "c"]))
        found = await service.change_items("p", ItemsChange(add=["e"], remove=["a", "b", "c"]))
        assert found.items == ["d", "e"]

    asyncio.run(ask())


def test_a_change_to_more_items_than_a_page_may_have_is_refused(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", PageSettings(list(range(600)), 2, policy="random"))
        words = r"^items must be at most 1000 on a page, got 1001: remove some, or make another"
        with pytest.raises(ArgumentError, match=words):
            await service.change_items("p", ItemsChange(add=list(range(600, 1001))))
        found = await service.change_items("p", ItemsChange(list(range(600, 1001)), [0]))
        assert len(found.items) == 1000

    asyncio.run(ask())


def test_settings_of_more_items_than_a_page_may_have_are_refused() -> None:
    settings = msgspec.structs.replace(SETTINGS, items=list(range(1001)))
    with pytest.raises(ArgumentError, match="items must be at most 1000 on a page, got 1001"):
        check_settings(settings)


def test_a_page_with_more_items_than_may_be_asked_for_now_is_loaded(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> None:
        with monkeypatch.context() as patched:
            patched.setattr("unirank.server.service.MOST_ITEMS", 1001)
            await service.put_page("p", PageSettings(list(range(1001)), 2, policy="random"))
        assert len((await service.rank("p", RankRequest())).items) == 2

    asyncio.run(ask())


def test_a_page_that_cannot_be_read_does_not_hide_the_others(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        bad = service.store.create_page("bad", SETTINGS)
        assert bad is not None
        service.store.change_page(bad, {"settings": {"items": 7}}, SETTINGS)
        found = await service.summaries("", 10)
        assert ([page.page for page in found.pages], found.unreadable) == (["p"], ["bad"])

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ("abc", "it lacks 'd'"),
        ("abcdxy", "too many are 'x', 'y'"),
        ("abcx", "it lacks 'd'; too many are 'x'"),
        ("aabcd", "too many are 'a'"),
    ],
)
def test_a_wrong_start_is_told_which_items_are_wrong(start: str, words: str) -> None:
    settings = msgspec.structs.replace(SETTINGS, start=list(start))
    sentence = f"start must hold every item once, as `items` does: {words}"
    with pytest.raises(ArgumentError, match=f"^{sentence}$"):
        check_settings(settings)


def test_a_robot_is_flagged_and_left_out(service: Service) -> None:
    async def ask() -> None:
        service.limits.clicks_per_session = 3
        await service.put_page("p", SETTINGS)
        for session in ("robot", "robot", "visitor"):
            shown = await service.rank("p", RankRequest(session=session))
            await service.clicks([ClickReport(shown.token, shown.items, final=True)])
        service.closing.once()
        found = await service.summary("p")
        assert (found.views, [each.clicks for each in found.flagged]) == (3, [4])
        without = Without(sessions=[found.flagged[0].session])
        assert (await service.rebuild("p", Rebuild(without))).left_out == 2
        service.closing.once()
        assert (await service.summary("p")).views == 1

    asyncio.run(ask())


def test_a_rebuild_names_exactly_what_is_left_out(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        for session in ("robot", "visitor", "other"):
            shown = await service.rank("p", RankRequest(session=session))
            await service.clicks([ClickReport(shown.token, shown.items, final=True)])
        service.closing.once()
        robot, visitor = (
            service.sessions.hashed(name, time()).hex() for name in ("robot", "visitor")
        )
        for parts, n_views in (
            ([Without(sessions=[robot])], 2),
            ([Without(sessions=[robot]), Without(sessions=[visitor])], 1),
            ([Without(from_=0.0)], 0),
            (Without(), 3),
        ):
            asked = Rebuild(parts)
            assert (await service.rebuild("p", asked)).left_out == 3 - n_views
            service.closing.once()
            found = await service.summary("p")
            named = [msgspec.structs.replace(part, to=None) for part in found.without]
            assert (found.views, named) == (n_views, asked.parts)

    asyncio.run(ask())


@pytest.mark.parametrize("later", [None, 9e9])
def test_a_rebuild_named_again_means_the_same_lists(service: Service, later: float | None) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        asked = [Without(from_=0.0, to=later)]
        for _ in range(2):
            shown = await service.rank("p", RankRequest(session="visitor"))
            await service.clicks([ClickReport(shown.token, shown.items)])
            assert (await service.rebuild("p", Rebuild(asked))).left_out == 1
            service.pages.catch_up()
            asked = (await service.summary("p")).without

    asyncio.run(ask())


def test_a_rebuild_of_times_to_come_leaves_nothing_out(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        await service.rebuild("p", Rebuild(Without(from_=9e9)))
        assert (await service.summary("p")).without == []

    asyncio.run(ask())


def test_of_two_rebuilds_that_leave_out_more_neither_undoes_the_other(
    service: Service, tmp_path: Path
) -> None:
    async def ask(other: Service) -> None:
        await service.put_page("p", SETTINGS)
        await other.page("p")
        parts = [Without(from_=float(n), to=n + 0.5) for n in range(4)]
        await service.rebuild("p", Rebuild(parts[:1]), more=True)
        await other.rebuild("p", Rebuild(parts[1]), more=True)
        await asyncio.gather(
            service.rebuild("p", Rebuild(parts[2]), more=True),
            other.rebuild("p", Rebuild(parts[3]), more=True),
        )
        service.pages.catch_up()
        found = (await service.summary("p")).without
        assert sorted(found, key=attrgetter("from_")) == parts

    with service_on(tmp_path / "s.sqlite") as other:
        asyncio.run(ask(other))


def test_a_rebuild_that_takes_long_is_waited_for(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(service.put_page("p", SETTINGS))
    monkeypatch.setattr("unirank.server.service.STORE_TIMEOUT", 0.5)
    rebuild_page = service.store.rebuild_page

    def slow(*values: Any) -> Any:
        sleep(0.6)
        return rebuild_page(*values)

    monkeypatch.setattr(service.store, "rebuild_page", slow)
    last = service.store.last_number()
    assert asyncio.run(service.rebuild("p", Rebuild())).number == last + 1


def test_a_rebuild_says_which_sessions_it_does_not_know(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        answer = await service.rebuild("p", Rebuild(Without(sessions=["0a0b"])))
        assert (answer.left_out, answer.unknown) == (0, ["0a0b"])
        with pytest.raises(ArgumentError, match="from must be at most to, got from=10 and to=5"):
            await service.rebuild("p", Rebuild(Without(from_=10.0, to=5.0)))

    asyncio.run(ask())


def test_a_name_whose_page_another_process_deleted_begins_anew(
    service: Service, tmp_path: Path
) -> None:
    async def ask(other: Service) -> None:
        await service.put_page("p", SETTINGS)
        old = (await other.page("p")).row.number
        await service.delete_page("p")
        assert (await other.put_page("p", SETTINGS)).created
        assert (await other.page("p")).row.number != old

    with service_on(tmp_path / "s.sqlite") as other:
        asyncio.run(ask(other))


@pytest.mark.parametrize("durable", [False, True])
def test_lists_of_a_deleted_page_are_refused_and_others_count(
    service: Service, tmp_path: Path, durable: bool
) -> None:
    async def ask(other: Service) -> None:
        await service.put_page("p", SETTINGS)
        await service.put_page("q", SETTINGS)
        shown = [await other.rank(name, RankRequest(defer=True)) for name in "pqp"]
        await service.delete_page("p")
        answer = await other.clicks([ClickReport(each.token, each.items) for each in shown])
        assert (answer.accepted, answer.duplicate, answer.late) == (2, 0, 0)
        assert [each.index for each in answer.rejected] == [0, 2]
        assert answer.rejected[0].reason == "the page of this list was deleted"
        with pytest.raises(NotFound, match="was deleted"):
            await other.shown(shown[0].token)
        if durable:
            with pytest.raises(NotFound, match="was deleted"):
                await other.rank("p", RankRequest())
        with pytest.raises(NotFound):
            await service.delete_page("p")

    with service_on(tmp_path / "s.sqlite", durable_views=durable) as other:
        asyncio.run(ask(other))


def test_a_click_on_a_list_whose_number_was_given_again_is_rejected(service: Service) -> None:
    async def ask() -> None:
        for name in "pq":
            await service.put_page(name, SETTINGS)
        lists = []
        for name in "pq":  # as after a backup was restored, or a failover lost the lease
            service.leases._next = 7
            lists.append(await service.rank(name, RankRequest()))
        await service.clicks([ClickReport(lists[0].token, [])])
        answer = await service.clicks([ClickReport(each.token, each.items) for each in lists[1:]])
        assert (answer.accepted, answer.late) == (0, 0)
        assert "is another list's now" in answer.rejected[0].reason

    asyncio.run(ask())


def test_all_who_ask_whether_the_database_answers_wait_for_one_look(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, may_answer = [], Event()

    def hangs() -> None:
        asked.append(1)
        may_answer.wait(10)

    async def ask() -> None:
        for _ in range(2):  # the second time, after the first were told that it takes too long
            looks = (service.check_store() for _ in range(20))
            done = await asyncio.gather(*looks, return_exceptions=True)
            assert all(isinstance(each, StoreUnavailable) for each in done)
        may_answer.set()
        assert service._looking is not None
        await service._looking
        await service.check_store()

    monkeypatch.setattr(service.store, "check", hangs)
    monkeypatch.setattr("unirank.server.service.STORE_TIMEOUT", 0.05)
    asyncio.run(ask())
    assert len(asked) == 2


def test_an_export_goes_on_at_its_cursor(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        await service.put_page("q", SETTINGS)
        first, cursor = await service.export("jsonl", 0, 1)
        second, cursor = await service.export("jsonl", cursor, 10)
        assert (b'"page":"p"' in first, b'"page":"q"' in second, cursor) == (True, True, 2)
        assert await service.export("jsonl", cursor, 10) == (b"", 2)

    asyncio.run(ask())


def test_an_item_and_a_list_have_the_same_numbers_in_every_chunk_for_obp(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", msgspec.structs.replace(SETTINGS, holdout=Holdout(0.5)))
        await visited(service, 2)
        await service.change_items("p", ItemsChange(add=["e"], remove=["a"]))
        await visited(service, 20)
        whole, _ = await service.export("obp", 0, 100)
        chunks, cursor = [], 0
        for most in (2, 5, 100):
            content, cursor = await service.export("obp", cursor, most)
            chunks.append(msgspec.json.decode(content))
        found = msgspec.json.decode(whole)
        assert found["actions"] == {"p": ["a", "b", "c", "d", "e"]}
        assert max(found["action"]) == 4
        for name in ("slate_id", "action", "position", "reward", "pscore", "arm"):
            assert [value for chunk in chunks for value in chunk[name]] == found[name]

    asyncio.run(ask())


def test_a_click_is_exported_when_it_was_reported(service: Service, clock: list[float]) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest())
        clock[0] += 5.0
        await service.clicks([ClickReport(shown.token, shown.items[:1])])
        clock[0] += 3600.0
        service.closing.once()
        lines = (await service.export("ubi", 0, 100))[0].splitlines()
        _, event = (msgspec.json.decode(line) for line in lines)
        assert event["timestamp"] == "2027-01-15T08:00:05.000+00:00"

    asyncio.run(ask())


def test_series_of_too_many_points_are_refused(service: Service) -> None:
    with pytest.raises(ArgumentError, match="at most 10000 points"):
        asyncio.run(service.series("p", 0.0, 1e9, 1.0))


def test_series_have_whole_steps_whenever_one_asks(service: Service, clock: list[float]) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest())
        await service.clicks([ClickReport(shown.token, shown.items[:1])])
        clock[0] += 4000.0
        service.closing.once()
        clock[0] += 1.0
        hour = clock[0] // 3600 * 3600
        for before in (4000.0, 2.0):
            found = await service.series("p", clock[0] - before, clock[0], 3600.0)
            assert [(each.at, each.arms["learner"].views) for each in found.points] == [(hour, 1)]
        with pytest.raises(ArgumentError, match="from must be at most to, got from=10 and to=5"):
            await service.series("p", 10.0, 5.0, 3600.0)

    asyncio.run(ask())


@pytest.mark.parametrize("name", ["", "a/b", "\0", "x" * 201])
def test_strange_names_are_refused(service: Service, name: str) -> None:
    with pytest.raises(ArgumentError, match="page must be a name"):
        asyncio.run(service.put_page(name, SETTINGS))
    with pytest.raises(NotFound):
        asyncio.run(service.summary(name))
