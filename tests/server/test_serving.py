from collections import Counter
from typing import Any

import msgspec
import pytest

from unirank.errors import ArgumentError, UnknownNameError
from unirank.server.api import Holdout, PageSettings, RankRequest
from unirank.server.learner import Learner
from unirank.server.serving import Serving
from unirank.server.store.store import Entry, PageRow
from unirank.server.view import ItemId

ITEMS = ["a", "b", "c", "d"]


def serving(**settings: Any) -> Serving:
    page = PageSettings(ITEMS, 2, **settings)  # type: ignore[arg-type]
    learner = Learner(PageRow(3, "page", 7, b""))
    learner.fold(Entry(1, 3, 0.0, None, (), {"settings": msgspec.to_builtins(page)}, False))
    return Serving(learner, b"arms")


def test_a_view_says_everything() -> None:
    shown = serving(window_s=60.0, holdout=Holdout(0.0)).view(
        17, RankRequest(session="s", defer=True), b"hash", 100.0
    )
    assert (shown.id, shown.page, shown.arm, shown.session) == (17, 3, "learner", b"hash")
    assert (shown.shown_at, shown.expires_at, shown.deferred) == (100.0, 160.0, True)


def test_a_session_has_one_of_few_places_and_a_view_without_one_of_many() -> None:
    page = serving()
    for session, most in (("s", 1024), (None, 2**16)):
        requests = (RankRequest(session=session and f"{session}{n}") for n in range(3000))
        places = {page.view(n, asked, b"", 0.0).place for n, asked in enumerate(requests)}
        assert 0.9 * most < max(places) < most


def test_the_same_number_gives_the_same_list() -> None:
    lists = [serving().view(n, RankRequest(), b"", 0.0).items for n in (5, 5, 6, 7, 8, 9)]
    assert lists[0] == lists[1]
    assert len({tuple(each) for each in lists}) > 1


def test_shares_of_the_arms_are_kept() -> None:
    page = serving(holdout=Holdout(0.2))
    arms = Counter(page.view(n, RankRequest(), b"", 0.0).arm for n in range(2000))
    assert 330 < arms["holdout"] < 470  # 400 +- 4 standard deviations
    assert arms["learner"] == 2000 - arms["holdout"]


def test_a_random_holdout_knows_its_chance() -> None:
    page = serving(holdout=Holdout(0.5, "random"))
    shown = [page.view(n, RankRequest(), b"", 0.0) for n in range(100)]
    random = [each for each in shown if each.arm == "holdout"]
    assert {each.propensity for each in random} == {1 / 12}
    assert len({tuple(each.items) for each in random}) > 5


def test_a_frozen_page_shows_its_leader_among_what_is_there() -> None:
    page = serving(mode="frozen", holdout=Holdout(0.0))
    page.frozen = ["d", "c", "b", "a"]
    shown = page.view(1, RankRequest(available=["a", "b", "d"]), b"", 0.0)
    assert (shown.arm, shown.items) == ("frozen", ["d", "b"])


@pytest.mark.parametrize("mode", ["learn", "observe"])
def test_too_few_or_unknown_items_are_refused(mode: str) -> None:
    page = serving(mode=mode, holdout=Holdout(0.0))
    with pytest.raises(ArgumentError, match=r"n_positions=2 .*so few .*show all of them"):
        page.view(1, RankRequest(available=["a"]), b"", 0.0)
    with pytest.raises(UnknownNameError, match="unknown item in available"):
        page.view(1, RankRequest(available=["a", "x"]), b"", 0.0)


@pytest.mark.parametrize("available", [["a"], ["a", "x"]])
def test_every_arm_refuses_what_is_available_in_the_same_words(available: list[ItemId]) -> None:
    sentences = set()
    for mode in ("learn", "observe", "frozen"):
        for order in ("start", "random"):
            page = serving(mode=mode, holdout=Holdout(0.5, order))
            for number in range(10):
                with pytest.raises(ArgumentError) as found:
                    page.view(number, RankRequest(available=available), b"", 0.0)
                sentences.add(str(found.value))
    assert len(sentences) == 1
