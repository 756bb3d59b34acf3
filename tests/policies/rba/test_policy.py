"""RBA: its twin for every bandit, its chances, late answers, its options, and what it learns."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from tests.policies.cascades import N_ROUNDS, NUMBERS, answer, clicks_of, problem
from tests.reference.click_models import CM, ClickModel
from tests.reference.rba import RBATwin
from unirank import PBM, RBA, ArgumentError, Ranking, simulate
from unirank.policies.rba.policy import propensity

BANDITS = ["ucb1", "kl-ucb", "exp3"]


def agree(policy: RBA, twin: RBATwin, users: ClickModel, delay: int = 0) -> None:
    """Both give the same rankings, as likely, and count the same, with answers that late."""
    waiting: list[tuple[Ranking, list[bool]]] = []
    for round_ in range(1, N_ROUNDS + 1):
        expected = twin.rank()
        shown = policy.rank()
        assert list(shown.items) == expected, f"round {round_}"
        if round_ % 50 < 3:
            assert shown.propensity == pytest.approx(twin.propensity(expected), rel=1e-6)
        waiting.append((shown, clicks_of(users, shown, policy.seed)))
        if len(waiting) > delay:
            shown, clicks = waiting.pop((7 * round_) % len(waiting))
            answer(policy, shown, clicks)
            twin.update([int(i) for i in shown.items], clicks, shown.round)
    np.testing.assert_array_equal(policy.state.pulled, twin.pulls)
    np.testing.assert_array_equal(policy.state.won, twin.rewards)
    if twin.bandit == "exp3":
        np.testing.assert_allclose(policy.state.losses, twin.losses, rtol=1e-9)


@pytest.mark.parametrize("number", NUMBERS)
def test_rankings_are_those_of_the_twin(number: int) -> None:
    n_items, n_positions, users = problem(number)
    policy = RBA(n_items, n_positions, seed=number)
    agree(policy, RBATwin(n_items, n_positions, seed=number, bandit="ucb1"), users)


@pytest.mark.parametrize("number", [1, 4, 8])
@pytest.mark.parametrize("bandit", BANDITS[1:])
def test_with_other_bandits_rankings_are_those_of_the_twin(number: int, bandit: str) -> None:
    n_items, n_positions, users = problem(number)
    policy = RBA(n_items, n_positions, seed=number, bandit=bandit)
    agree(policy, RBATwin(n_items, n_positions, seed=number, bandit=bandit), users)


@pytest.mark.parametrize(("n_items", "n_positions"), [(4, 3), (4, 4)])
@pytest.mark.parametrize("bandit", BANDITS)
def test_late_answers_with_one_item_more_than_positions_and_none_more(
    n_items: int, n_positions: int, bandit: str
) -> None:
    policy = RBA(n_items, n_positions, seed=9, bandit=bandit)
    twin = RBATwin(n_items, n_positions, seed=9, bandit=bandit)
    agree(policy, twin, CM([0.5, 0.5, 0.3, 0.1]), delay=17)


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


@pytest.mark.parametrize(
    ("forged", "told"),
    [
        ({"rounds": [-1]}, "rounds must be in 0.."),
        ({"pulled": [[4, 2]]}, "pulled must be counts of at most one a round and position"),
        ({"pulled": [[-1, 2]]}, "pulled must be counts of at most one a round and position"),
        ({"won": [[3, 0]]}, "won must be counts of at most pulled"),
        ({"won": [[-1, 0]]}, "won must be counts of at most pulled"),
        ({"losses": [[0.5, 2.0]]}, "losses must be at least 1 for each round that was not won"),
        ({"losses": [[1.0, np.inf]]}, "losses must be at least 1 for each round that was not won"),
        ({"losses": [[1.0, np.nan]]}, "losses must be at least 1 for each round that was not won"),
        ({"won": [[0, 0, 0]]}, "won must have shape (1, 2)"),
    ],
)
def test_counts_that_cannot_be_are_refused(forged: dict[str, Any], told: str) -> None:
    counts = {"pulled": [[2, 2]], "won": [[1, 0]], "rounds": [5], "losses": [[1.0, 2.0]]}
    RBA(2, 1, bandit="exp3").restore({n: np.array(v) for n, v in counts.items()})
    with pytest.raises(ArgumentError) as caught:
        RBA(2, 1, bandit="exp3").restore({n: np.array(v) for n, v in {**counts, **forged}.items()})
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize(("bandit", "share"), [("ucb1", 0.5), ("kl-ucb", 0.2), ("exp3", 0.5)])
def test_it_learns(bandit: str, share: float) -> None:
    users = PBM([0.9, 0.6, 0.3, 0.2, 0.1], [1.0, 0.9])
    random, learner = (
        simulate(policy, users, n_positions=2, n_rounds=20_000, n_games=5).mean[-1]
        for policy in ("random", ("rba", {"bandit": bandit}))
    )
    assert learner < share * random
