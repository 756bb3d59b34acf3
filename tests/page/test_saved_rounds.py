"""Unanswered rounds survive a state file, and a forged table of them is refused."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.page.test_loading import (
    NO_SUCH_ROUND,
    Forgery,
    message_of,
    saved_policy,
    setting,
)
from tests.policies.situations import some_clicks
from unirank import TopRank, UniRank, load
from unirank.page.state_file import SavedPolicy, write_state_file
from unirank.policies.base.snapshot import to_saved_array


def test_a_table_of_many_rounds_survives_a_file(tmp_path: Path) -> None:
    policy, draw = UniRank(40, 8, seed=1), Random(1)
    shown = [policy.rank() for _ in range(500)]
    for one in draw.sample(shown, 200):
        policy.update(one, some_clicks(one.items, draw))
    policy.save(tmp_path / "state")
    copy = load(tmp_path / "state")
    assert list(copy._on_page().unanswered) == list(policy._on_page().unanswered)
    for number, _ in list(policy._on_page().unanswered):
        first, second = (
            rounds[rounds.find(number)][2]
            for rounds in (policy._on_page().unanswered, copy._on_page().unanswered)
        )
        assert first == second


def test_a_policy_without_unanswered_rounds_has_no_table(tmp_path: Path) -> None:
    policy = TopRank(4, 2, horizon=9)
    policy.update(policy.rank(), [])
    assert policy.to_saved().unanswered is None


def forged_table(**columns: Any) -> Forgery:
    """Replace columns of the table by others."""

    def forge(saved: SavedPolicy) -> None:
        policy = UniRank(5, 3, seed=1)
        policy.rank()
        policy.rank()
        table = policy.to_saved().unanswered
        assert table is not None
        for name, values in columns.items():
            setattr(table, name, values if name == "memories" else to_saved_array(values))
        saved.unanswered, saved.pending = table, []

    return forge


TABLE = "unanswered rounds must have a column each of the same length"
EPOCHS = "epochs must begin in different rounds that were given, in order"
ORDER = "unanswered rounds must be in order and have a memory each"


@pytest.mark.parametrize(
    ("forge", "told"),
    [
        (forged_table(round=np.array([1])), TABLE),
        (forged_table(time=np.zeros((2, 1))), TABLE),
        (forged_table(ranking=np.zeros((2, 2), np.uint16)), TABLE),
        (forged_table(round=np.array([1.0, 2.0])), "round must be <i8, got <f8"),
        (forged_table(ranking=np.zeros((2, 3), np.int64)), "ranking must be <u2, got <i8"),
        (forged_table(round=np.array([2, 1])), ORDER),
        (forged_table(round=np.array([1, 1])), ORDER),
        (forged_table(round=np.array([0, 1])), ORDER),
        (forged_table(round=np.array([1, 5])), ORDER),
        (forged_table(memory=np.array([0, 1], np.int32)), ORDER),
        (forged_table(memory=np.array([0, -1], np.int32)), ORDER),
        (forged_table(time=np.array([0, np.nan])), ORDER),
        (forged_table(memories=[b""]), NO_SUCH_ROUND),
        (forged_table(memories=[bytes([3, 0, 0])]), NO_SUCH_ROUND),
        (forged_table(memories=[bytes([3, 0, 255])]), NO_SUCH_ROUND),
        (forged_table(ranking=np.array([[0, 1, 1], [0, 1, 2]], np.uint16)), NO_SUCH_ROUND),
        (forged_table(ranking=np.array([[0, 1, 5], [0, 1, 2]], np.uint32)), NO_SUCH_ROUND),
        (setting("identity", -1), f"identity must be in 0..{2**64 - 1}, got -1"),
        (setting("epochs", [(1, 0)]), EPOCHS),
        (setting("epochs", [(1, 2), (5, 2)]), EPOCHS),
        (setting("epochs", [(-1, 2)]), f"epoch must be in 0..{2**64 - 1}, got -1"),
        (
            setting("answered_elsewhere", [(1, 3, b"x")]),
            "answered rounds of other copies must be windows of bits",
        ),
    ],
)
def test_a_forged_table_is_refused_in_one_line(tmp_path: Path, forge: Forgery, told: str) -> None:
    def with_identity(saved: SavedPolicy) -> None:
        saved.identity = 7
        forge(saved)

    assert message_of(with_identity, tmp_path) == told


def test_the_table_to_be_forged_is_good(tmp_path: Path) -> None:
    saved = saved_policy()
    forged_table()(saved)
    write_state_file(saved, tmp_path / "state")
    assert [number for number, _ in load(tmp_path / "state")._on_page().unanswered] == [1, 2]
