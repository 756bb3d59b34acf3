"""Saved policies continue exactly, with answers that come late; held rounds change no bit."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.lab.simulation.problems import PROBLEMS
from tests.policies.situations import contents, some_clicks
from tests.policies.test_papers import options_of
from unirank import Policy, Ranking, load, simulate
from unirank.policies import registry

N_ITEMS, N_POSITIONS = 7, 4
NAMES = [entry.name for names in (registry, registry.plain) for entry in names]


def play(policy: Policy, n_rounds: int, seed: int = 2) -> list[Ranking]:
    draw, played = Random(seed), []
    for _ in range(n_rounds):
        played.append(policy.rank())
        policy.update(played[-1], some_clicks(played[-1].items, draw))
    return played


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("name", NAMES)
def test_a_loaded_policy_goes_on_exactly(name: str, number: int, tmp_path: Path) -> None:
    options = options_of(name.removeprefix("plain-"), number, N_ITEMS, N_POSITIONS)
    policy = registry[name](N_ITEMS, N_POSITIONS, seed=5, **options)
    play(policy, [200, 5, 0][number])
    unanswered = [policy.rank() for _ in range([20, 1, 0][number])]
    policy.save(tmp_path / "state")
    copy = load(tmp_path / "state")
    for one in (policy, copy):
        draw = Random(6)
        for shown in reversed(unanswered):
            one.update(shown, some_clicks(shown.items, draw))
    continued, original = play(copy, 150), play(policy, 150)
    assert [shown.items for shown in continued] == [shown.items for shown in original]
    if not name.startswith("plain-"):  # whose sets may be in another order
        assert contents(copy) == contents(policy)


@pytest.mark.parametrize("problem", ["ties-pbm", "ties-cm", "all-items-shown"])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("oracle", {"ranking": [2, 0, 1, 3, 4]}),
        ("batchrank", {"horizon": 3}),
        ("batchrank", {"horizon": 1000}),
    ],
)
def test_skipping_over_held_rounds_changes_no_bit(
    name: str, options: dict[str, Any], problem: str
) -> None:
    users, n_positions = PROBLEMS[problem]
    if name == "oracle":
        options = {"ranking": [i for i in options["ranking"] if i < users.n_items][:n_positions]}
    skipped, played = (
        simulate(
            (name, options),
            users,
            n_positions=n_positions,
            n_rounds=20_000,
            n_games=2,
            seed=11,
            skip=skip,
        ).regret
        for skip in (True, False)
    )
    np.testing.assert_array_equal(skipped, played)
