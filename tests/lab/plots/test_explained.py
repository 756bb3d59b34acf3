"""A figure refuses what it cannot draw, and names what is missing."""

import pytest

from unirank import ArgumentError, UniRank
from unirank.lab.plots.explained import explained
from unirank.policies import GRAB


def test_what_is_needed_comes_with_the_explanation() -> None:
    policy = UniRank(4, 2)
    found, order = explained(policy, "order")
    assert found == policy.explain()
    assert order == found.order


def test_what_is_missing_is_named() -> None:
    rule = r"^policy must explain what this figure draws, got GRAB\(.*: GRAB gives no "
    with pytest.raises(ArgumentError, match=rule + "evidence of pairs of items, UniRank"):
        explained(GRAB(4, 2), "pairs")
    with pytest.raises(ArgumentError, match=r"^policy must be a policy, got 'unirank'$"):
        explained("unirank", "pairs")
