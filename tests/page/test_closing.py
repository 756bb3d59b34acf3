"""Click by click: clicks are noted, and learnt from when the round closes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unirank import ArgumentError, UniRank, load, papers
from unirank.page import rounds, unanswered


class Clock:
    """A clock that the test turns."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(unanswered, "time", found)
    monkeypatch.setattr(rounds, "time", found)
    return found


def test_clicks_one_by_one_teach_what_an_update_teaches() -> None:
    one, two = UniRank(6, 3, seed=1), UniRank(6, 3, seed=1)
    for n in range(100):
        first, second = one.rank(), two.rank()
        one.update(first, first.items[: n % 3])
        for item in second.items[: n % 3]:
            two.click(second.token, item)
            two.click(second, item)
        two.update(second.round, [])
    np.testing.assert_array_equal(one.state.wins, two.state.wins)


def test_rounds_close_after_a_window(clock: Clock) -> None:
    policy, wanted = UniRank(6, 3, seed=1), UniRank(6, 3, seed=1)
    shown = []
    for clock.now in (0.0, 10.0, 20.0, 30.0):
        shown.append(policy.rank())
        wanted.rank()
    policy.click(shown[1], shown[1][2])
    assert policy.close(older_than=15.0) == 2
    wanted.update(1, [])
    wanted.update(2, [shown[1][2]])
    np.testing.assert_array_equal(policy.state.wins, wanted.state.wins)
    assert [number for number, _ in policy._on_page().unanswered] == [3, 4]
    with pytest.raises(ArgumentError, match=r"^round 2 was already updated$"):
        policy.click(2, shown[1][0])


def test_closing_without_a_window_closes_all() -> None:
    policy = UniRank(6, 3)
    for _ in range(100):
        policy.rank()
    assert (policy.close(), policy.close(), len(policy._on_page().unanswered)) == (100, 0, 0)


def test_noted_clicks_are_saved(tmp_path: Path, clock: Clock) -> None:
    policy = UniRank(6, 3, seed=1)
    shown = policy.rank()
    policy.click(shown, shown[1])
    policy.save(tmp_path / "state")
    copy: Any = load(tmp_path / "state")
    clock.now += 5
    assert (copy.close(older_than=6), copy.close(older_than=5)) == (0, 1)
    assert copy.leader[0] == (shown[1],)


def test_clicks_of_a_round_that_was_let_go_are_forgotten() -> None:
    policy = UniRank(6, 3, max_pending=2)
    for _ in range(200):
        shown = policy.rank()
        policy.click(shown, shown[0])
    assert sorted(policy._on_page().unanswered.clicked) == [199, 200]


def test_another_copy_does_not_note_clicks(tmp_path: Path) -> None:
    policy = UniRank(6, 3, seed=1)
    policy.save(tmp_path / "state")
    shown = policy.rank()
    with pytest.raises(ArgumentError, match=r"^click needs the copy that gave round 1: where sev"):
        load(tmp_path / "state").click(shown.token, shown[0])


def test_a_click_on_an_item_that_was_not_shown_is_refused() -> None:
    policy = UniRank(3, 2)
    shown = policy.rank()
    with pytest.raises(ArgumentError, match=r"^item must be among the shown"):
        policy.click(shown, 3)
    assert not policy._on_page().unanswered.clicked


@pytest.mark.parametrize("older_than", [-1, float("nan"), "soon"])
def test_a_window_is_a_number_of_seconds(older_than: Any) -> None:
    with pytest.raises(ArgumentError, match=r"^older_than must be a number >= 0, got "):
        UniRank(3, 2).close(older_than)


def test_forged_clicks_are_refused() -> None:
    policy = UniRank(5, 2, seed=1)
    shown = policy.rank()
    other = next(n for n in range(5) if n not in shown.items)
    forged: list[tuple[int, list[int]]] = [(1, [other]), (2, [])]
    for clicked in forged:
        saved = policy.to_saved()
        saved.clicked = [clicked]
        with pytest.raises(ArgumentError):
            UniRank.from_saved(saved)


def test_a_plain_policy_closes_rounds_and_takes_rewards() -> None:
    policy: Any = papers.UniRank(4, 2, seed=1)
    first, second = policy.rank(), policy.rank()
    policy.click(first, first[1])
    policy.update(second, rewards={second[0]: 1.0})
    assert policy.close() == 1
    assert policy.comparisons.sum() > 0
