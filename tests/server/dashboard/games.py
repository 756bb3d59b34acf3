"""Policies that met a few visitors."""

from copy import copy
from random import Random
from typing import Any

from unirank import MatchRank, UniRank
from unirank.policies import Policy

ITEMS = ("tea", "mug", "pot", "tray", "jar")
CHANCES = {"tea": 0.1, "mug": 0.8, "pot": 0.45, "tray": 0.02, "jar": 0.02}


def played(cls: type[Policy], n: int, n_positions: int = 2) -> Policy:
    policy: Any = cls(items=ITEMS, n_positions=n_positions, seed=3)
    chance = Random(5)
    for _ in range(n):
        shown = policy.rank()
        policy.update(shown, clicks=[i for i in shown.items if chance.random() < CHANCES[i]])
    return copy(policy)


__all__ = ["CHANCES", "ITEMS", "MatchRank", "UniRank", "played"]
