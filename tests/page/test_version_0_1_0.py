"""State files that version 0.1.0 wrote load, and the policies go on as that version did.

Each policy ranked 8 items on 3 positions for 2,000 rounds, with late and missing answers, and was
saved; `continued.json` holds a digest of the 300 lists that version 0.1.0 showed next.
"""

import json
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

import unirank as ur

FOLDER = Path(__file__).parent / "version_0_1_0"
CONTINUED = json.loads((FOLDER / "continued.json").read_text())


def digest(lists: list[list[int | str]]) -> str:
    return sha256(json.dumps(lists).encode()).hexdigest()


def some_clicks(shown: ur.Ranking, draw: Random) -> list[int | str]:
    """Clicks of users who prefer items of a large number."""
    return [i for n, i in enumerate(shown) if draw.random() < (int(str(i)[1:]) + 1) / (9 + n)]


def next_lists(policy: ur.Policy, unanswered: list[int]) -> list[list[int | str]]:
    """Play 300 rounds; every seventh is answered late, without clicks."""
    draw, lists = Random(2), []
    for number in range(300):
        shown = policy.rank()
        lists.append(list(shown))
        if number % 7 == 3:
            unanswered.append(shown.round)
        else:
            policy.update(shown, some_clicks(shown, draw))
        if len(unanswered) > 5:
            policy.update(unanswered.pop(0), [])
    return lists


@pytest.mark.parametrize("name", sorted(CONTINUED.keys() - {"reordered"}))
def test_a_policy_of_that_version_goes_on_with_the_same_lists(name: str) -> None:
    policy = ur.load(FOLDER / f"{name}.unirank")
    lists = next_lists(policy, list(CONTINUED[name]["unanswered"]))
    assert digest(lists) == CONTINUED[name]["digest"]


def test_the_wrapper_of_that_version_is_the_option_position_order() -> None:
    policy = ur.load(FOLDER / "reordered.unirank")
    assert (type(policy), policy.position_order) == (ur.UniRank, (1, 0, 2))
    assert digest([list(policy.rank()) for _ in range(50)]) == CONTINUED["reordered"]["digest"]


def test_every_policy_of_that_version_is_here() -> None:
    assert CONTINUED.keys() - {"reordered"} <= set(ur.list_policies())
    assert len(CONTINUED) == 23
