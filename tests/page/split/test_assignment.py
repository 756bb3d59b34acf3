"""A session stays in its arm; sessions fall into arms by their shares; tokens cannot be altered."""

import numpy as np
import pytest

from unirank.errors import ArgumentError
from unirank.page.split.assignment import N_PLACES, Assigned, Assignment, checked_shares


def test_a_session_has_one_arm_in_every_process_with_the_key() -> None:
    first, second = Assignment(b"key", [0.3, 0.7]), Assignment(b"key", [0.3, 0.7])
    other = Assignment(b"another", [0.3, 0.7])
    sessions = [f"visitor {n}" for n in range(200)]
    assert [first.of(s) for s in sessions] == [second.of(s) for s in sessions]
    assert [first.of(s) for s in sessions] != [other.of(s) for s in sessions]


def test_arms_have_their_shares_at_every_place() -> None:
    shares = [0.1, 0.6, 0.3]
    assigned = [Assignment(b"key", shares).of(n) for n in range(20_000)]
    arms = np.array([each.arm for each in assigned])
    low = np.array([each.place < N_PLACES // 2 for each in assigned])
    for half in (low, ~low):  # five standard errors of 10,000 sessions: 0.025
        assert np.bincount(arms[half]) / half.sum() == pytest.approx(shares, abs=0.025)
    assert low.mean() == pytest.approx(0.5, abs=0.02)


def test_a_token_comes_back_and_an_altered_one_is_refused() -> None:
    assignment = Assignment(b"key", [0.5, 0.5])
    text = assignment.sealed(Assigned(1, 65_535), "the policy's token")
    assert assignment.unsealed(text, 2) == (Assigned(1, 65_535), "the policy's token")
    moved = assignment.sealed(Assigned(0, 65_535), "x")[:16] + text[16:]
    for wrong in ("", "x", "ÿ" * 20, moved, text + "x", text[1:]):
        with pytest.raises(ArgumentError, match=r"^token must be one that this split gave, got"):
            assignment.unsealed(wrong, 2)
    with pytest.raises(ArgumentError, match="one that this split gave"):
        Assignment(b"another", [0.5, 0.5]).unsealed(text, 2)
    with pytest.raises(ArgumentError, match=r"^token must name one of 1 arms, got arm 1"):
        assignment.unsealed(text, 1)


@pytest.mark.parametrize("session", ["", None, 1.5, True, b"x"])
def test_a_session_is_a_text_or_an_integer(session: object) -> None:
    with pytest.raises(ArgumentError, match=r"^session must be a text or an integer, got"):
        Assignment(b"key", [0.5, 0.5]).of(session)


def test_arms_left_out_share_the_rest() -> None:
    assert checked_shares("abc", None) == pytest.approx([1 / 3] * 3)
    assert checked_shares("abc", {"b": 0.2}) == pytest.approx([0.4, 0.2, 0.4])
    assert checked_shares("ab", {"a": 0.25, "b": 0.75}) == [0.25, 0.75]


@pytest.mark.parametrize(
    ("shares", "sentence"),
    [
        ({"c": 0.1}, "unknown arm in shares: 'c'; one of: a, b"),
        ({"a": 0}, "shares['a'] must be a number > 0, got 0"),
        ({"a": 1}, "shares['a'] must be below 1, got 1"),
        ({"a": 0.5, "b": 0.6}, "shares must sum to 1, got 1.1"),
    ],
)
def test_wrong_shares_are_refused(shares: dict[str, float], sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        checked_shares(["a", "b"], shares)
    assert str(caught.value) == sentence


def test_shares_leave_something_for_the_others() -> None:
    with pytest.raises(ArgumentError, match=r"^shares must sum to less than 1"):
        checked_shares("abc", {"a": 0.5, "b": 0.5})
