"""Policies put into a chosen situation, and the literal twin put into the same one."""

from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from random import Random
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from unirank import Policy, Ranking, UniRank, papers
from unirank.page.state_file import SavedPolicy, SavedRound
from unirank.policies.base.snapshot import to_saved_array
from unirank.policies.kernels.randomness import POLICY, address
from unirank.policies.plain.partitions import displayed_subsets
from unirank.policies.uni_rank.policy import propensity, rank

SIGNIFICANCE = 1e-4  # of every chi-square test: fixed seeds, so a failure is a failure for everyone
N_DRAWS = 12_000
NO_LEADERS = {"leader_keys": np.zeros(0, np.uint64), "leader_counts": np.zeros(0, np.int64)}

Items = tuple[int | str, ...]


def ordered(n_items: int, wins: int = 1) -> NDArray[np.int64]:
    """Every item has won `wins` times against all behind it, and never lost."""
    return np.triu(np.full((n_items, n_items), wins), 1)


def policy_with(
    wins: ArrayLike,
    n_positions: int,
    *,
    seen: int = 0,
    items: Iterable[int | str] | None = None,
    **options: Any,
) -> UniRank:
    """A UniRank that has counted these wins, with its present leader for `seen` rounds."""
    table = np.asarray(wins, np.int64)
    policy = UniRank(len(table) if items is None else items, n_positions, **options)
    policy.restore({"wins": table, **NO_LEADERS})
    assert policy.leader
    policy.state.leader_counts[policy.state.now["place"][0]] = seen
    return policy


def plain_with(
    wins: ArrayLike, n_positions: int, *, seen: int = 0, seed: int = 0, **options: Any
) -> Any:
    """The plain edition, put into the situation of `policy_with`."""
    table = np.asarray(wins, np.int64)
    policy = papers.UniRank(len(table), n_positions, seed=seed, **options)
    policy.wins = table
    policy.rounds_led[tuple(displayed_subsets(policy.leader_indices(), n_positions))] = seen
    return policy


def chances(policy: UniRank) -> dict[Items, float]:
    """Give one ranking, and tell how likely each of all possible lists was."""
    policy.rank()
    lists = permutations(range(policy.n_items), policy.n_positions)
    return {
        tuple(policy.items[i] for i in one): float(propensity(policy.state, np.array(one)))
        for one in lists
    }


def draws(policy: UniRank, n_draws: int) -> tuple[Counter[Items], Counter[int]]:
    """What `n_draws` seeds would show in this very situation, and which neighbour they play."""
    state, place = policy.state, policy.state.now["place"][0]
    seen = state.leader_counts[place]
    ranking = np.empty(policy.n_positions, np.int64)
    lists, played = Counter[Items](), Counter[int]()
    for seed in range(n_draws):
        rank(state, address(seed, 0, POLICY, 1), ranking)
        state.leader_counts[place] = seen
        lists[tuple(policy.items[i] for i in ranking.tolist())] += 1
        played[int(state.now["played"][0])] += 1
    return lists, played


def p_value(seen: Counter[Items], expected: dict[Items, float]) -> float:
    """Chance of counts at least as far from these probabilities, which must allow them all."""
    possible = {one: chance for one, chance in expected.items() if chance > 0}
    assert seen.keys() <= possible.keys()
    counts = [seen[one] for one in possible]
    return float(stats.chisquare(counts, [sum(counts) * p for p in possible.values()]).pvalue)


def some_clicks(shown: Items, draw: Random) -> list[int | str]:
    """Clicks of users who like the items that come last, a little."""
    return [item for n, item in enumerate(shown) if draw.random() < (int(item) + 1) / (9 + n)]


def play(policy: UniRank, n_rounds: int, draw: Random) -> list[Items]:
    """Rank and learn round after round; return what was shown."""
    played = []
    for _ in range(n_rounds):
        shown = policy.rank()
        policy.update(shown, some_clicks(shown.items, draw))
        played.append(shown.items)
    return played


def played_subsets(policy: UniRank) -> list[set[int | str]]:
    """The displayed subsets of the partition that the last rank() played."""
    subsets = []
    start = 0
    while start < policy.n_positions:
        end = int(policy.state.shown_ends[start])
        subsets.append({policy.items[i] for i in policy.state.shown[start:end].tolist()})
        start = end
    return subsets


def leaders_met(policy: UniRank) -> dict[int, int]:
    """How many rounds each leader was the leader, by fingerprint."""
    found = policy.statistics()
    return dict(zip(found["leader_keys"].tolist(), found["leader_counts"].tolist(), strict=True))


def with_many_leaders() -> UniRank:
    """A policy whose table of leaders has had to grow, with rounds still unanswered.

    Late clicks on rankings of the first leader, where all items share one subset, reverse the order
    of others again and again.
    """
    policy = UniRank(20, 20, seed=1)
    early = [policy.rank() for _ in range(900)]
    draw = Random(1)
    for shown in early[:-30]:
        policy.update(shown, [draw.choice(shown.items)])
        policy.update(policy.rank(), [])
    return policy


def contents(policy: Policy) -> bytes:
    """Everything a policy knows, its unanswered rounds included, but not which copy it is, when."""
    saved = msgspec.structs.replace(
        policy.to_saved(), identity=None, epochs=[], known=[], common=None
    )
    if saved.unanswered is not None:
        saved.unanswered.time = to_saved_array(np.zeros(0))
    return msgspec.msgpack.encode(saved)


def version_1(policy: Policy) -> SavedPolicy:
    """What version 1 of state files held."""
    saved = policy.to_saved()
    saved.unanswered = saved.identity = saved.common = None
    saved.epochs, saved.known = [], []
    for number, ranking in policy._on_page().unanswered:
        memory = policy._on_page().unanswered[policy._on_page().unanswered.find(number)][2]
        if isinstance(policy, UniRank):
            policy.recall(np.array(ranking), memory)
            ends, shown = policy.state.shown_ends, policy.state.shown
            memory = ends.tobytes() + shown[len(ends) : ends[-1]].tobytes()
        saved.pending.append(SavedRound(number, np.array(ranking).tobytes(), memory))
    return saved


def future(policy: UniRank, n_rounds: int = 50) -> list[Ranking]:
    """What the policy shows next if nobody clicks any more."""
    return [policy.rank() for _ in range(n_rounds)]
