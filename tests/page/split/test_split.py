"""The A/B test as its user meets it: sticky, counted once, saved, and right about a real effect."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import unirank as ur
from unirank.errors import ArgumentError, StateFileError
from unirank.page.split.split_file import read_split, write_split

ITEMS = ["a", "b", "c", "d"]
USERS = ur.PBM([0.05, 0.1, 0.5, 0.6], [1.0, 0.6])


def arms(**options: Any) -> dict[str, ur.Policy]:
    today = ur.policies.Oracle(ITEMS, 2, ranking=["a", "b"], **options)
    return {"today": today, "new": ur.UniRank(ITEMS, 2, seed=1, **options)}


def visited(split: ur.Split, first: int, n_sessions: int) -> None:
    for session in range(first, first + n_sessions):
        shown = split.rank(session=session)
        numbers = [ITEMS.index(str(item)) for item in shown]
        clicks = USERS.draw_clicks(numbers, seed=0, round=session + 1)
        clicked = [item for item, click in zip(shown, clicks, strict=True) if click]
        split.update(shown.token if session % 2 else shown, clicks=clicked)


def test_a_better_arm_is_found_and_the_share_is_kept() -> None:
    split = ur.Split(arms(), shares={"today": 0.2}, key="test")
    visited(split, 0, 3000)
    report = split.report()
    today, new = report.arms
    assert today.share == 0.2
    assert today.views == pytest.approx(600, abs=100)  # 4.5 standard errors
    assert today.rate == pytest.approx(0.05 + 0.06, abs=0.07)
    assert new.rate > 0.5
    assert report.differences[0].low > 0
    assert report.broken == ""
    assert today.given == today.views
    assert len(split.history()) == len({moment.arms for moment in split.history()}) > 30


def test_a_session_stays_in_its_arm() -> None:
    split = ur.Split(arms(), key="test")
    for session in ("x", "y", 7, "7"):
        assert {split.rank(session).arm for _ in range(5)} == {split.arm_of(session)}
    assert split.arm_of(7) == split.arm_of("7")


def test_an_arm_whose_answers_get_lost_breaks_the_split() -> None:
    split = ur.Split(arms(), key="test")
    for session in range(4000):
        shown = split.rank(session=session)
        if shown.arm == "today" or session % 5:
            split.update(shown, clicks=[])
    assert split.report().broken.startswith("the split is broken")


def test_an_answer_is_counted_once_and_a_wrong_one_never() -> None:
    split = ur.Split(arms(), key="test")
    shown = split.rank("x")
    for wrong, sentence in (
        ({"clicks": ["zebra"]}, "clicks must be among"),
        ({"clicks": "a"}, "clicks must be a list"),
        ({"rewards": {shown.items[0]: 2.0}}, "rewards must be in"),
    ):
        with pytest.raises(ArgumentError, match=sentence):
            split.update(shown, **wrong)
    split.update(shown, clicks=iter([shown.items[0], shown.items[0]]))
    with pytest.raises(ArgumentError, match="already updated"):
        split.update(shown.token, clicks=[])
    with pytest.raises(ArgumentError, match=r"^shown must be what split\.rank\(\) gave"):
        split.update(7, clicks=[])  # type: ignore[arg-type]
    assert sum(arm.views for arm in split.report().arms) == 1
    assert sum(arm.clicks for arm in split.report().arms) == 1.0


def test_rewards_are_counted_as_they_are() -> None:
    split = ur.Split(arms(), key="test")
    shown = split.rank("x")
    split.update(shown, rewards={shown.items[0]: 0.4, shown.items[1]: 0.5})
    assert sum(arm.clicks for arm in split.report().arms) == pytest.approx(0.9)


def test_it_goes_on_after_a_restart(tmp_path: Path) -> None:
    whole = ur.Split(arms(token_key="s"), shares={"today": 0.3}, key="test", expected_views=700)
    part = ur.Split(arms(token_key="s"), shares={"today": 0.3}, key="test", expected_views=700)
    visited(whole, 0, 300)
    visited(part, 0, 150)
    waiting = part.rank("late").token
    part.save(tmp_path / "test.split")
    again = ur.Split.load(tmp_path / "test.split", token_key="s")
    visited(again, 150, 150)
    assert again.report().arms[0].views == whole.report().arms[0].views
    assert again.report().differences[0].against == "today"
    assert len(again.history()) == len(whole.history())
    again.update(waiting, clicks=[])
    with pytest.raises(StateFileError, match="is not a unirank state file"):
        ur.load(tmp_path / "test.split")


@pytest.mark.parametrize(
    "change",
    [
        {"names": ["today"]},
        {"shares": [0.5, 0.6]},
        {"key": b""},
        {"first": {"dtype": "|u1", "shape": [65536], "data": b"\x09" * 65536}},
        {"given": {"dtype": "<i8", "shape": [2], "data": b"\xff" * 16}},
        {"clicks": {"dtype": "<f8", "shape": [1], "data": b"\xff" * 8}},
        {"history": [[[[1, 1, 1.0, 1.0, 1, 1]]]]},
    ],
)
def test_a_forged_file_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "test.split"
    ur.Split(arms()).save(path)
    plain = msgspec.msgpack.decode(msgspec.msgpack.encode(read_split(path)))
    forged = msgspec.convert({**plain, **change}, type(read_split(path)))
    write_split(forged, path)
    with pytest.raises(StateFileError, match="is not a valid split: "):
        ur.Split.load(path)


def test_a_small_file_of_a_large_policy_is_refused_before_memory_is_taken(tmp_path: Path) -> None:
    ur.Split(arms()).save(tmp_path / "split")
    saved = read_split(tmp_path / "split")
    saved.policies[-1].items = list(range(20_000))
    write_split(saved, tmp_path / "split")
    with pytest.raises(StateFileError, match=r"it needs about \d+ bytes, more than 1073741824$"):
        ur.Split.load(tmp_path / "split")


def test_wrong_arms_and_keys_are_refused() -> None:
    one = ur.policies.RandomOrder(ITEMS, 2)
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        ({"a": one}, {}, r"^arms must be a dict of 2\.\.100 policies"),
        ({"a": one, "b": "unirank"}, {}, "^arms must be policies by name, got 'b': 'unirank'"),
        ({"a": one, "b": one}, {}, "^arms must be different policies"),
        (arms(), {"key": ""}, "^key must be a text or bytes"),
        (arms(), {"expected_views": 0}, "^expected_views must be >= 1"),
    ]
    for given, settings, sentence in wrong:
        with pytest.raises(ArgumentError, match=sentence):
            ur.Split(given, **settings)


def test_keys_are_fresh_unless_given() -> None:
    first, second = ur.Split(arms()), ur.Split(arms())
    sessions = range(100)
    assert [first.arm_of(s) for s in sessions] != [second.arm_of(s) for s in sessions]
    assert np.mean([first.arm_of(s) == "new" for s in range(2000)]) == pytest.approx(0.5, abs=0.06)
