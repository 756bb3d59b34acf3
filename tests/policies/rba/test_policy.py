"""RBA: its probabilities, its options, its files, and what it learns."""

from itertools import permutations

import numpy as np
import pytest

from unirank import PBM, ArgumentError, simulate
from unirank.policies import RBA
from unirank.policies.rba.policy import propensity

BANDITS = ["ucb1", "kl-ucb", "exp3"]


@pytest.mark.parametrize("bandit", BANDITS)
@pytest.mark.parametrize("n_rounds", [0, 1, 5, 300])
def test_the_chances_of_all_lists_are_one_together(bandit: str, n_rounds: int) -> None:
    policy = RBA(4, 3, seed=2, bandit=bandit)
    for _ in range(n_rounds):
        shown = policy.rank()
        policy.update(shown, [item for item in shown.items if item in (1, 3)])
    shown = policy.rank()
    chances = [float(propensity(policy.state, np.array(one))) for one in permutations(range(4), 3)]
    assert sum(chances) == pytest.approx(1, abs=1e-12)
    assert 0 < shown.propensity <= max(chances)


def test_a_click_on_what_stands_in_for_a_proposal_is_no_reward() -> None:
    policy = RBA(2, 2, seed=1)
    for _ in range(40):
        shown = policy.rank()
        before = policy.state.won.copy()
        proposals = policy.state.proposals.tolist()
        policy.update(shown, shown.items)
        rewarded = (policy.state.won - before).sum(axis=1).tolist()
        assert rewarded == [int(p == s) for p, s in zip(proposals, shown.items, strict=True)]
        assert rewarded[0] == 1
    assert policy.state.pulled.sum(axis=1).tolist() == [40, 40]


# Options and files.


def test_an_unknown_bandit_is_answered_with_the_nearest() -> None:
    with pytest.raises(ArgumentError, match=r"^unknown bandit 'ucb'; did you mean 'ucb1'\?$"):
        RBA(3, 2, bandit="ucb")


def test_more_draws_than_a_round_has_addresses_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"^n_positions \* \(n_items \+ 1\) must be at most"):
        RBA(5000, 4000)


def memory(proposals: list[int], chances: list[float]) -> bytes:
    return np.array(proposals, np.int64).tobytes() + np.array(chances, float).tobytes()


@pytest.mark.parametrize(
    ("bandit", "proposals", "chances", "valid"),
    [
        ("ucb1", [2, 0], [], True),
        ("ucb1", [2, 2], [], True),  # the second clashed
        ("ucb1", [0, 0], [], False),  # the first cannot have
        ("ucb1", [2, 1], [], False),
        ("ucb1", [2, -1], [], False),
        ("ucb1", [2], [], False),
        ("ucb1", [2, 0], [0.5, 0.5], False),
        ("exp3", [2, 0], [0.5, 1.0], True),
        ("exp3", [2, 0], [0.5], False),
        ("exp3", [2, 0], [0.5, 0.0], False),
        ("exp3", [2, 0], [0.5, 1.1], False),
        ("exp3", [2, 0], [0.5, float("nan")], False),
    ],
)
def test_memories_that_cannot_be_are_refused(
    bandit: str, proposals: list[int], chances: list[float], valid: bool
) -> None:
    policy = RBA(3, 2, bandit=bandit)
    assert policy.check_memory(np.array([2, 0]), memory(proposals, chances)) is valid


@pytest.mark.parametrize(("bandit", "share"), [("ucb1", 0.5), ("kl-ucb", 0.2), ("exp3", 0.5)])
def test_it_learns(bandit: str, share: float) -> None:
    users = PBM([0.9, 0.6, 0.3, 0.2, 0.1], [1.0, 0.9])
    random, learner = (
        simulate(policy, users, n_positions=2, n_rounds=20_000, n_games=5).mean[-1]
        for policy in ("random", ("rba", {"bandit": bandit}))
    )
    assert learner < share * random
