"""Processes that share nothing but tokens and a nightly merge, one of which crashes."""

from pathlib import Path

import pytest

from benchmarks.workers import difference, trial
from unirank import UniRank


@pytest.mark.parametrize("name", ["unirank", "matchrank"])
def test_no_answer_is_credited_to_a_wrong_list(name: str, tmp_path: Path) -> None:
    found = trial(name, 240, 2, tmp_path)
    assert (found.wrong, found.refused) == (0, [])
    assert found.answered > 50
    assert found.same_round > 10  # round numbers alone would have mixed these up
    assert found.after_crash > 0
    assert found.refused_twice > 0


def test_the_referee_sees_one_answer_too_many() -> None:
    one, other = UniRank(4, 2, seed=1), UniRank(4, 2, seed=1)
    shown = one.rank()
    other.learn(shown.items, shown.memory, [shown.items[0]])
    assert difference(one, other) == 3
