"""The contract of policies: `check_policy`."""

from copy import copy
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.lab.checks.contract import Outcome, not_run, outcomes, raise_first, require
from unirank.lab.checks.random_sources import random_cure
from unirank.lab.simulation import simulate
from unirank.page.loading import load
from unirank.policies import Policy, Ranking
from unirank.policies.base.specs import PolicySpec
from unirank.users import PBM

N_ROUNDS = 300
USERS_MET = PBM(attraction=[0.6, 0.5, 0.3, 0.3, 0.1, 0.02], examination=[1.0, 0.7, 0.5])
SIZES = ((1, 1), (2, 1), (2, 2), (6, 1), (6, 3), (6, 6))


@dataclass(frozen=True)
class PolicyMaker:
    """Makes fresh policies of one class; options that are not given are examples or defaults."""

    cls: type[Policy]
    given: dict[str, Any]

    def __call__(self, items: Any, n_positions: int, seed: int) -> Policy:
        return self.cls(items, n_positions, seed=seed, **self.options(items, n_positions))

    def options(self, items: Any, n_positions: int) -> dict[str, Any]:
        example = self.cls.example_options(arguments.item_ids(items), n_positions)
        return {**example, **self.given}


def check_policy(cls: type[Policy], **options: Any) -> None:
    """Raise a ContractError, with its own sentence, for the first thing that does not hold.

    Parameters
    ----------
    cls
        A policy class, registered or not.
    options
        Options to check it with.
    """
    raise_first(policy_outcomes(cls, **options))


def policy_outcomes(cls: type[Policy], **options: Any) -> list[Outcome]:
    """Run the whole contract and say what each check found."""
    new = PolicyMaker(cls, options)
    first, *others = CHECKS
    found = outcomes([first], new)
    if found[0].problem:  # compiled code trusts a ranking: a wrong one could end the process
        return found + not_run(others, "not run, because rankings are not valid")
    return found + outcomes(others, new)


def rankings_of(new: PolicyMaker, n_rounds: int = N_ROUNDS, **settings: Any) -> list[Ranking]:
    """Return the rankings of a policy that learns from `USERS_MET`."""
    policy = new(**{"items": 6, "n_positions": 3, "seed": 1, **settings})
    return [play_round(policy) for _ in range(n_rounds)]


def play_round(policy: Policy) -> Ranking:
    shown = policy.rank()
    learn(policy, shown)
    return shown


def learn(policy: Policy, shown: Ranking) -> None:
    """Draw the clicks of this round's user and update the policy."""
    items = [policy.items.index(item) for item in shown.items]
    clicks = [False] * len(items)
    if len(items) <= USERS_MET.n_positions:
        clicks = USERS_MET.draw_clicks(items, seed=1, round=shown.round).tolist()
    policy.update(shown, [item for item, c in zip(shown.items, clicks, strict=True) if c])


def spec_of(new: PolicyMaker) -> PolicySpec:
    return new.cls, new.options(6, 3)


def rankings_are_valid(new: PolicyMaker) -> None:
    """Every ranking holds n_positions different items, whatever the sizes."""
    for n_items, n_positions in SIZES:
        policy = new(items=n_items, n_positions=n_positions, seed=1)
        for _ in range(50):
            shown = policy.rank()
            indices = policy.last_ranking
            good = len(set(indices)) == n_positions and set(indices) <= set(range(n_items))
            require(good, f"got {indices} for n_items={n_items}, n_positions={n_positions}")
            learn(policy, shown)


def same_seed_same_rankings(new: PolicyMaker) -> None:
    """The same seed and clicks give the same rankings, whatever numpy's global generator does."""
    np.random.seed(1)  # noqa: NPY002 - the global generator is what must not matter
    first = [shown.items for shown in rankings_of(new)]
    np.random.seed(2)  # noqa: NPY002
    second = [shown.items for shown in rankings_of(new)]
    require(first == second, f"two runs with seed 1 differ: {random_cure(new.cls)}")


def item_ids_are_only_names(new: PolicyMaker) -> None:
    """Renaming the items renames the rankings and changes nothing else."""
    names = ["f", "e", "d", "c", "b", "a"]
    renamed = [shown.items for shown in rankings_of(new, items=names)]
    plain = [tuple(names[int(i)] for i in shown.items) for shown in rankings_of(new)]
    require(renamed == plain, "string ids give other rankings than 0..n-1")


def propensities_are_probabilities(new: PolicyMaker) -> None:
    """A propensity is in (0, 1], or NaN where a policy cannot tell."""
    for shown in rankings_of(new):
        p = shown.propensity
        require(np.isnan(p) or 0 < p <= 1, f"got {p} for {shown.items}")


def object_equals_simulation(new: PolicyMaker) -> None:
    """rank() and update() of the object lose as much as the compiled loop does."""
    trace = simulate(
        spec_of(new),
        _Unshuffled(**USERS_MET.settings),
        n_positions=3,
        n_rounds=N_ROUNDS,
        n_games=1,
        seed=1,
        checkpoints=[N_ROUNDS],
        skip=False,
        progress=False,
    )
    best = USERS_MET.best_value(3)
    lost = sum(best - USERS_MET.value([int(i) for i in shown.items]) for shown in rankings_of(new))
    require(abs(lost - trace.regret[0, 0]) < 1e-6, f"{lost} against {trace.regret[0, 0]}")


def hold_is_exact(new: PolicyMaker) -> None:
    """Skipping over held rounds gives the same bits as playing them."""
    with_skipping, without = (
        simulate(
            spec_of(new),
            USERS_MET,
            n_positions=3,
            n_rounds=20_000,
            n_games=2,
            seed=3,
            skip=skip,
            progress=False,
        ).regret
        for skip in (True, False)
    )
    require(np.array_equal(with_skipping, without), "the traces differ")


def many_at_once_equal_one_by_one(new: PolicyMaker) -> None:
    """rank_many gives the lists of as many calls of rank, and they teach the same."""
    policy, other = (new(items=6, n_positions=3, seed=1) for _ in range(2))
    for _ in range(3):
        alone, together = [policy.rank() for _ in range(50)], other.rank_many(50)
        for left, right in zip(alone, together, strict=True):
            same = left.round == right.round and str(left) == str(right)
            require(same, f"they differ in round {left.round}: {left} and {right}")
            learn(policy, left)
            learn(other, right)


def saving_loses_nothing(new: PolicyMaker) -> None:
    """A saved and loaded policy goes on exactly as the original does."""
    policy = new(items=6, n_positions=3, seed=1)
    for _ in range(N_ROUNDS):
        play_round(policy)
    late = policy.rank()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "state"
        policy.save(path)
        loaded = load(path)
    for one in (policy, loaded):
        one.update(late, [late.items[-1]])
    for _ in range(N_ROUNDS):
        left, right = play_round(policy), play_round(loaded)
        same = (left.items, str(left.propensity)) == (right.items, str(right.propensity))
        require(same, f"they differ in round {left.round}: {left} and {right}")


def tokens_are_answered_elsewhere(new: PolicyMaker) -> None:
    """A copy learns from a token that it never gave, once, or refuses it and does not change."""
    policy = new(items=6, n_positions=3, seed=1)
    for _ in range(50):
        play_round(policy)
    other = copy(policy)
    for _ in range(50):
        shown = policy.rank()
        policy.update(shown, shown.items[:1])
        for first in (True, False):
            before = other.to_saved()
            try:
                other.update(shown.token, shown.items[:1])
                require(first, f"it learns twice from round {shown.round}")
            except ArgumentError as error:
                require(other.to_saved() == before, f"it refuses a token and changes: {error}")


def availability_is_a_choice_among_some(new: PolicyMaker) -> None:
    """If it can choose among available items, it does; all of them are the same as none given."""
    if not new.cls.facts.availability:
        return
    policy, given = (new(items=6, n_positions=3, seed=1) for _ in range(2))
    for number in range(N_ROUNDS):
        left, right = policy.rank(), given.rank(range(6))
        same = left.items == right.items and np.array_equal(
            left.propensity, right.propensity, equal_nan=True
        )
        require(same, f"with all items it shows {right}, without {left}")
        learn(policy, left)
        learn(given, right)
        some = [n for n in range(6) if n != number % 6]
        shown = policy.rank(some)
        require(set(shown) <= set(some), f"it shows {shown.items} of {some}")
        p = shown.propensity
        require(np.isnan(p) or 0 < p <= 1, f"the propensity of {shown.items} is {p}")
        policy.update(shown, [])
        given.update(given.rank(some), [])


def the_catalogue_can_change(new: PolicyMaker) -> None:
    """If items can be added and removed, a removed one is never shown and comes back as it was."""
    if not new.cls.facts.catalogue:
        return
    policy = new(items=6, n_positions=3, seed=1)
    for number in range(N_ROUNDS):
        if number % 50 == 20:
            before = policy.to_saved()
            policy.remove(5)
            policy.add(5)
            require(policy.to_saved() == before, "removing an item and adding it changes it")
            policy.remove(5)
        shown = policy.rank()
        require(not set(shown) & set(policy.removed), f"{shown.items} has a removed item")
        policy.update(shown, [])
        if policy.removed and number % 50 == 40:
            policy.add(5)
    policy.add("new")
    require(policy.n_items == 7, f"there are {policy.n_items} items, not 7")
    for _ in range(N_ROUNDS):
        policy.update(policy.rank(), [])


def merging_adds_what_was_learnt_apart(new: PolicyMaker) -> None:
    """If copies can be merged, they become one that has learnt all, and nothing twice."""
    if not new.cls.facts.merge:
        return
    policy = new(items=6, n_positions=3, seed=1)
    for _ in range(50):
        play_round(policy)
    one, left, right = (copy(policy) for _ in range(3))
    for number in range(100):
        shown = policy.rank()
        for apart in (one, left if number % 3 else right):
            apart.learn(shown.items, shown.memory, shown.items[number % 3 :])
    left.merge(right)
    same = _equal(left.statistics(), one.statistics())
    require(same, "merged statistics are not those of one copy")
    try:
        left.merge(right)
    except ArgumentError:
        return
    require(False, "it merges the same copy twice")


def a_start_is_shown_first_and_can_be_unlearnt(new: PolicyMaker) -> None:
    """If it can begin with an order, it shows it first, and learns when it is wrong."""
    if not new.cls.facts.start:
        return
    worst_first = [5, 4, 3, 2, 1, 0]

    def begun(trust: int) -> Policy:
        options = {**new.options(6, 3), "start": worst_first, "trust": trust}
        return new.cls(6, 3, seed=1, **options)

    policy = begun(trust=10**6)
    first = [policy.rank().items for _ in range(50)]
    n_like = first.count((5, 4, 3))
    require(n_like > 10, f"only {n_like} of its first 50 lists are the start")
    policy = begun(trust=2)
    lists = [play_round(policy).items for _ in range(10 * N_ROUNDS)][-N_ROUNDS:]
    value = np.mean([USERS_MET.value([int(i) for i in items]) for items in lists])
    least = 0.9 * USERS_MET.best_value(3)
    require(
        bool(value > least), f"after a wrong start lists are worth {value:.3f}, not {least:.3f}"
    )


def _equal(left: Any, right: Any) -> bool:
    """Whether statistics are equal, sums of fractions up to rounding."""
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(_equal(left[key], right[key]) for key in left)
    if isinstance(left, np.ndarray | float):
        return np.shape(left) == np.shape(right) and np.allclose(left, right, rtol=1e-9, atol=1e-12)
    return bool(left == right)


def a_half_life_follows_changing_tastes(new: PolicyMaker) -> None:
    """A policy with a half-life finds a new best list sooner than one without."""
    if not new.cls.facts.forgetting:
        return

    def clicks_after_change(half_life: float | None) -> int:
        options = {**new.options(6, 3), "half_life": half_life}
        policy = new.cls(6, 3, seed=1, **options)
        n_clicks = 0
        for number in range(3 * N_ROUNDS):
            changed = number >= 2 * N_ROUNDS
            liked = {3, 4, 5} if changed else {0, 1, 2}
            shown = policy.rank()
            policy.update(shown, liked & set(shown))
            n_clicks += changed * len(liked & set(shown))
        return n_clicks

    forgetting, not_forgetting = clicks_after_change(N_ROUNDS / 6), clicks_after_change(None)
    require(
        forgetting > not_forgetting,
        f"after a change it gets {forgetting} clicks with a half-life, {not_forgetting} without",
    )


class _Unshuffled(PBM):
    """Users of a game whose items keep their numbers, to compare with the object."""

    def item_order(self, seed: int, game: int) -> Any:
        return np.arange(self.n_items)


CHECKS = (
    rankings_are_valid,
    same_seed_same_rankings,
    item_ids_are_only_names,
    propensities_are_probabilities,
    object_equals_simulation,
    hold_is_exact,
    many_at_once_equal_one_by_one,
    saving_loses_nothing,
    tokens_are_answered_elsewhere,
    availability_is_a_choice_among_some,
    the_catalogue_can_change,
    merging_adds_what_was_learnt_apart,
    a_start_is_shown_first_and_can_be_unlearnt,
    a_half_life_follows_changing_tastes,
)
