"""Malformed lines are as many as asked for, of every kind, and leave the others in their order."""

import numpy as np
import pytest

from tests.reference.randomness import POLICY, Rng
from unirank.logs.synthetic.flaws import N_KINDS, TOO_MANY, broken_lines, with_flaws


def test_places_and_kinds_are_those_of_their_definition() -> None:
    wanted: list[int] = []
    for line in range(300):
        rng = Rng(9, 1, POLICY, 40 + line)
        if rng.uniform(0) < 0.2 / 0.8:
            wanted.append(300 + rng.below(1, N_KINDS))
        wanted.append(line)
    assert with_flaws(9, 40, 300, 0.2).tolist() == wanted


def test_how_lines_are_cut_into_blocks_does_not_matter() -> None:
    whole = with_flaws(3, 1, 1000, 0.1)
    parts = [with_flaws(3, 1 + start, 500, 0.1) for start in (0, 500)]
    numbered = [np.where(part >= 500, part + 500, part + i * 500) for i, part in enumerate(parts)]
    assert np.array_equal(np.concatenate(numbered), whole)


@pytest.mark.parametrize("share", [0.01, 0.5])
def test_the_share_is_that_among_all_lines(share: float) -> None:
    order = with_flaws(1, 1, 100_000, share)
    flaws = order[order >= 100_000] - 100_000
    error = np.sqrt(share * (1 - share) / order.size)
    assert abs(flaws.size / order.size - share) < 4 * error
    assert set(flaws.tolist()) == set(range(N_KINDS))
    assert np.array_equal(order[order < 100_000], np.arange(100_000))


def test_no_share_no_flaws() -> None:
    assert with_flaws(1, 1, 10, 0.0).tolist() == list(range(10))


def test_one_line_of_each_kind() -> None:
    lines = broken_lines("\t", 3)
    assert len(lines) == N_KINDS
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)
    cut, letters, long, no_text = (line.rstrip(b"\n").split(b"\t") for line in lines)
    assert (len(cut), letters, len(long)) == (1, [b"x"] * 3, TOO_MANY)
    with pytest.raises(UnicodeDecodeError):
        no_text[0].decode()
