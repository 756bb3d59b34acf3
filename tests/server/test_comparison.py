"""What is compared with what, when the terms of a page change."""

from random import Random

import msgspec
import pytest

from tests.server.stores import SETTINGS, view
from unirank.page.split.sample_ratio import LEVEL, p_value, p_value_of
from unirank.server.api import Holdout, PageSettings
from unirank.server.comparison import MOST_KEPT, Comparison, SavedComparison


def with_holdout(share: float, **settings: object) -> PageSettings:
    return msgspec.structs.replace(SETTINGS, holdout=Holdout(share), **settings)


def visited(found: Comparison, terms: int, share: float, n: int, seed: int = 0) -> None:
    """n visitors of a page with this share, each at a random place."""
    chance = Random(seed)
    for _ in range(n):
        arm = "holdout" if chance.random() < share else "learner"
        found.count(view(arm=arm, place=chance.randrange(2**16), settings_entry=terms), 1)


def p_of(found: Comparison) -> float:
    shares = found.compared().shares
    return p_value_of((counts, (share, 1 - share)) for share, counts in shares.items())


def test_each_view_is_judged_by_the_share_under_which_it_was_given() -> None:
    found = Comparison()
    found.set_terms(1, with_holdout(0.5))
    visited(found, 1, 0.5, 1000)
    found.set_terms(2, with_holdout(0.05))
    visited(found, 1, 0.5, 1000, seed=1)  # another process has not heard of it yet
    visited(found, 2, 0.05, 1000, seed=2)
    shares = found.compared().shares
    assert set(shares) == {0.5, 0.05}
    assert p_of(found) > LEVEL
    together = [sum(counts) for counts in zip(*shares.values(), strict=True)]
    assert p_value(together, [0.05, 0.95]) < LEVEL  # by the share of now alone


def test_a_share_that_is_not_kept_is_found_under_any_terms() -> None:
    found = Comparison()
    found.set_terms(1, with_holdout(0.5))
    visited(found, 1, 0.5, 500)
    found.set_terms(2, with_holdout(0.05))
    visited(found, 2, 0.15, 1000, seed=1)
    assert p_of(found) < LEVEL


def test_a_session_is_judged_once() -> None:
    found = Comparison()
    for number, share in ((1, 0.5), (2, 0.1)):
        found.set_terms(number, with_holdout(share))
        found.count(view(arm="holdout", place=9, settings_entry=number), 0)
    assert found.compared().shares == {0.5: (1, 0)}


def views(found: Comparison) -> list[int]:
    arms = found.compared().arms
    return [0, 0] if arms is None else [arm.views for arm in arms]


def test_a_lift_leaves_out_frozen_times_and_goes_on_when_they_are_over() -> None:
    found = Comparison()
    found.set_terms(1, SETTINGS)
    found.count(view(settings_entry=1), 1)
    found.set_terms(2, msgspec.structs.replace(SETTINGS, mode="frozen"))
    assert views(found) == [0, 0]
    found.count(view(arm="frozen", settings_entry=2), 1)
    found.count(view(arm="holdout", settings_entry=2), 1)
    found.set_terms(3, msgspec.structs.replace(SETTINGS, mode="frozen", window_s=5.0))
    assert views(found) == [1, 1]
    found.set_terms(4, SETTINGS)
    found.count(view(arm="holdout", settings_entry=2), 1)  # its window closed late
    assert views(found) == [0, 1]
    found.set_terms(5, msgspec.structs.replace(SETTINGS, mode="frozen"))
    assert views(found) == [0, 0]  # another order


@pytest.mark.parametrize(
    "other",
    [
        with_holdout(0.2),
        msgspec.structs.replace(SETTINGS, holdout=Holdout(0.05, "random")),
        msgspec.structs.replace(SETTINGS, start=["d", "c", "b", "a"]),
    ],
)
def test_another_holdout_is_another_comparison(other: PageSettings) -> None:
    found = Comparison()
    found.set_terms(1, SETTINGS)
    found.count(view(settings_entry=1), 1)
    found.set_terms(2, other)
    assert views(found) == [0, 0]


def test_a_view_of_an_older_version_counts_under_the_terms_of_now() -> None:
    found = Comparison()
    found.set_terms(1, SETTINGS)
    found.count(view(settings_entry=0), 1)
    assert views(found) == [0, 1]


def test_an_early_outcome_counts_when_the_end_of_its_window_is_reached() -> None:
    found = Comparison()
    found.set_terms(1, SETTINGS)
    found.count(view(1, settings_entry=1, expires_at=20.0), 1, due_at=11.0)
    found.count(view(2, settings_entry=1, expires_at=19.0), 0)
    assert (views(found), found.compared().n_held) == ([0, 1], 1)
    found.count(view(3, settings_entry=1, expires_at=40.0), 1, due_at=21.0)
    assert (views(found), found.compared().n_held) == ([0, 2], 1)
    found.reach(41.0, 4)
    assert (views(found), found.compared().n_held) == ([0, 3], 0)


def test_readers_count_what_is_over_though_no_entry_says_so() -> None:
    found = Comparison()
    found.set_terms(1, SETTINGS)
    for n, over_at in ((1, 20.0), (2, 30.0)):
        found.count(view(n, settings_entry=1, expires_at=over_at), 1, due_at=11.0)
    before = msgspec.msgpack.encode(found.to_saved())
    read = found.compared(closed_until=25.0)
    assert read.arms is not None
    assert ([arm.views for arm in read.arms], read.n_held) == ([0, 1], 1)
    assert msgspec.msgpack.encode(found.to_saved()) == before


def test_the_first_of_a_place_is_the_same_whoever_clicked() -> None:
    """The holdout's list was shown first; the learner's is reported first, as final."""
    found = Comparison()
    found.set_terms(1, with_holdout(0.5))
    found.count(view(2, settings_entry=1, expires_at=21.0), 1, due_at=12.0)
    found.count(view(1, arm="holdout", settings_entry=1, expires_at=20.0), 0)
    found.reach(30.0, 3)
    assert found.compared().shares == {0.5: (1, 0)}


def test_few_terms_are_kept_and_those_of_now_always() -> None:
    found = Comparison()
    found.set_terms(1, SETTINGS)
    for number in range(2, 2 * MOST_KEPT):
        found.set_terms(number, with_holdout(number / 100))
        found.count(view(settings_entry=number), 1)
    assert views(found) == [0, 1]
    assert len(found.to_saved().counts) == MOST_KEPT


def test_a_comparison_is_restored() -> None:
    found = Comparison()
    for number, share in ((1, 0.5), (2, 0.1)):
        found.set_terms(number, with_holdout(share))
        visited(found, number, share, 100, seed=number)
    for number in (5, 4, 3):
        found.count(view(number, expires_at=9000.0 - number), 1, due_at=1000.0)
    content = msgspec.msgpack.encode(found.to_saved())
    again = Comparison.from_saved(msgspec.msgpack.decode(content, type=SavedComparison))
    assert again.compared().n_held == 3
    for each in (found, again):
        each.reach(8996.5, 9)
        visited(each, 1, 0.5, 100, seed=7)
        each.set_terms(3, with_holdout(0.5))
    assert again.compared() == found.compared()
    assert msgspec.msgpack.encode(again.to_saved()) == msgspec.msgpack.encode(found.to_saved())
