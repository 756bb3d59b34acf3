"""The past of a page: its order and its lift at moments that follow from the log."""

from unirank import MatchRank
from unirank.policies.base.facts import registry
from unirank.server.history import MOST_MOMENTS, Moment, is_moment, leading, note

NOTHING = (None, None, None)


def test_moments_are_twenty_to_a_doubling() -> None:
    moments = [views for views in range(1, 6401) if is_moment(views)]
    assert moments[:3] == [10, 20, 30]
    assert [sum(200 * 2**k <= n < 400 * 2**k for n in moments) for k in range(5)] == [20] * 5


def test_there_are_never_too_many_moments() -> None:
    moments: list[Moment] = []
    for views in range(3 * MOST_MOMENTS):
        note(moments, Moment(views, 0.0, [], NOTHING))
    assert len(moments) <= MOST_MOMENTS
    kept = [moment.views for moment in moments]
    assert (kept[0], kept[-1]) == (0, 3 * MOST_MOMENTS - 1)
    assert kept == sorted(set(kept))


def test_of_a_long_leader_the_first_items_are_kept() -> None:
    assert leading(MatchRank(40, n_positions=30, seed=1)) == [[item] for item in range(20)]
    assert leading(registry["unirank"](40, 30, seed=1)) == [list(range(20))]


def test_a_policy_without_leader_has_no_order() -> None:
    assert leading(registry["random"](4, 2, seed=1)) == []
