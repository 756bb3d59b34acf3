"""State files of the version before 0.2.0 load, and the policies go on as that version did.

`continued.json` holds what that version did next: tokens learnt from or refused, how many rounds it
closed, and 300 lists, every seventh answered late.

    match_rank   8 items on 3 positions, half_life=500: 840 rounds, 89 of them unanswered, one of
                 these with a click noted
    uni_rank     with position_order and token_key: one item added, two removed, 63 rounds
                 unanswered, 20 tokens of a copy answered
    newest       a plain policy with an option, a dict, and `remembers`
"""

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import unirank as ur

FOLDER = Path(__file__).parent / "before_0_2_0"
CONTINUED = json.loads((FOLDER / "continued.json").read_text())
KEYS = {"uni_rank": "a secret"}


class SavedBefore(ur.PlainPolicy):
    remembers = ("asked",)
    pull: int = 3

    def start(self) -> None:
        self.clicks = np.zeros(self.n_items, np.int64)
        self.seen: dict[int, int] = {}
        self.asked = 0

    def rank(self, rng: Any) -> Any:  # type: ignore[override]
        self.asked = int(rng.integers(100))
        scores = self.clicks / self.pull + rng.random(self.n_items)
        return np.argsort(-scores, kind="stable")[: self.n_positions]

    def update(self, ranking: Any, clicks: Any) -> None:  # type: ignore[override]
        self.clicks[ranking[clicks]] += 1
        self.seen[self.asked] = self.seen.get(self.asked, 0) + 1


def some_clicks(shown: ur.Ranking, draw: Random) -> list[int | str]:
    return [i for n, i in enumerate(shown) if draw.random() < (int(str(i)[1:]) + 1) / (9 + n)]


def told(policy: ur.Policy, token: str) -> str:
    try:
        policy.update(token, [])
    except ur.ArgumentError:
        return "refused"
    return "learnt"


def what_it_does_next(policy: ur.Policy, tokens: list[str]) -> list[list[Any]]:
    draw, waiting = Random(9), []
    found: list[list[Any]] = [[told(policy, token)] for token in tokens]
    found.append([policy.close(0.0)])
    for n in range(300):
        shown = policy.rank()
        found.append(list(shown.items))
        if n % 7 == 0:
            waiting.append(shown.round)
        else:
            policy.update(shown, some_clicks(shown, draw))
        if n % 50 == 49:
            for number in waiting:
                policy.update(number, [])
            waiting = []
    return found


@pytest.mark.parametrize("name", sorted(CONTINUED))
def test_it_goes_on_as_the_version_before(name: str) -> None:
    policy = ur.load(FOLDER / f"{name}.unirank", token_key=KEYS.get(name))
    expected = CONTINUED[name]
    assert policy.round == expected["round"]
    assert what_it_does_next(policy, expected["tokens"]) == expected["lists"]


@pytest.mark.parametrize("name", sorted(CONTINUED))
def test_written_again_it_still_goes_on_so(name: str, tmp_path: Path) -> None:
    key = KEYS.get(name)
    ur.load(FOLDER / f"{name}.unirank", token_key=key).save(tmp_path / "again")
    policy = ur.load(tmp_path / "again", token_key=key)
    assert what_it_does_next(policy, CONTINUED[name]["tokens"]) == CONTINUED[name]["lists"]
