"""UniRank: keep an ordered partition of the items, the leader, and explore only next to it.

Gauthier, Gaudel and Fromont, "UniRank: Unimodal Bandit Algorithm for Online Ranking", ICML 2022,
Algorithms 1 and 2 with the errata of the printed version resolved. Assumes that positions are given
by decreasing attention, and nothing on how people click beyond that: position-based, cascade and
many more models qualify. Regret O(L / Delta log T), without knowing T. Where top items tie exactly
the bound becomes that of a larger neighbourhood. Not for pages whose best position is unknown.

For items i, j in the same subset of the partition that was played, when exactly one was clicked:

    W_ij = how often it was i,   D_ij = W_ij - W_ji,   T_ij = W_ij + W_ji,   s_ij = D_ij / T_ij

Each round:
    leader      (P_1, ..., P_m, rest): smallest dominating subsets (D_ij > 0 across), >= K items
    neighbours  merge P_c and P_c+1 (c < m), or add one item of the rest to P_m
    index       of a neighbour: max over its new pairs, j behind i in the leader, of
                2 kl_ucb((1 + s_ji) / 2, T_ij, ln t + 3 ln ln t) - 1,  t = rounds with this leader
    play        the neighbour of largest index if that is > 0 (ties: uniformly), else the leader;
                show a uniformly random list that respects the partition
"""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.facts import registry
from unirank.policies.base.half_life import aged_common, growth_of
from unirank.policies.base.kept_state import KeptState
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.start_order import wins_of
from unirank.policies.base.sums import summed
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.counting import FREE, filled_table
from unirank.policies.kernels.indices import budget as budget_after
from unirank.policies.kernels.randomness import Rng, below
from unirank.policies.kernels.shuffling import shuffle_prefix
from unirank.policies.shared.played_partitions import PlayedPartitions, remember
from unirank.policies.uni_rank.explanation import UniRankExplanation, explanation_of, neighbours_of
from unirank.policies.uni_rank.leader import refresh_leader
from unirank.policies.uni_rank.neighbours import FEWEST, find_best_neighbours, slots_of
from unirank.policies.uni_rank.restricted import (
    catch_up,
    count_for_leader,
    count_round,
    learn_too,
    restricted_state,
)
from unirank.policies.uni_rank.state import (
    EVERY_NEIGHBOUR,
    LEADER,
    NO_LEADERS,
    State,
    age,
    counted_now,
    forget_decisions,
    initial_state,
    observe,
    rescale_if_due,
    rounds_led,
    subsets,
    wins_now,
    with_statistics,
)

NOBODY = -1
LOGLOG_WEIGHT = {"kl-ucb": 3.0, "ln": 0.0}


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    now = state.now[0]
    rescale_if_due(state)
    refresh_leader(state, ranking.size)
    find_best_neighbours(state)
    now.played = LEADER
    if now.n_tied > 0:
        choice = below(rng, ranking.size, now.n_tied) if now.n_tied > 1 else 0
        now.played = state.tied[choice]
    show(state, now.played, rng, ranking)
    state.leader_counts[now.place] += now.scale
    age(state)


@compiled
def pass_round(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    # What is decided on neighbours is no statistic: the next round decides again.
    rescale_if_due(state)
    refresh_leader(state, ranking.size)
    now = state.now[0]
    state.leader_counts[now.place] += now.scale
    age(state)


@compiled
def show(state: State, neighbour: int, rng: Rng, ranking: NDArray[np.int64]) -> None:
    """Draw a uniformly random list of the partition of a neighbour, or of the LEADER."""
    start = 0
    while start < ranking.size:
        end = state.ends[start]
        for slot in range(start, end):
            state.shown[slot] = state.order[slot]
        if neighbour != LEADER and end == min(neighbour, state.now[0].taken):
            _, _, until = slots_of(state, neighbour)
            for slot in range(neighbour, until):
                state.shown[end] = state.order[slot]
                end += 1
        for position in range(start, min(end, ranking.size)):
            state.shown_ends[position] = end
        shuffle_prefix(state.shown, start, end, ranking.size, rng)
        start = end
    for position in range(ranking.size):
        ranking[position] = state.shown[position]


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    n_positions = ranking.size
    learnt = False
    start = 0
    while start < n_positions:
        end = state.shown_ends[start]
        for position in range(start, min(end, n_positions)):
            if clicks[position]:
                for slot in range(start, end):
                    if slot >= n_positions or not clicks[slot]:
                        observe(state, state.shown[position], state.shown[slot])
                        learnt = True
        start = end
    now = state.now[0]
    if learnt and now.played != LEADER:  # the leader's own subsets hold no neighbour's pairs
        forget_decisions(state, now.played)


@compiled
def hold(state: State, limit: int, ranking: NDArray[np.int64]) -> int:
    # A strict leader shows one list, and teaches nothing: no two items share a subset.
    now = state.now[0]
    refresh_leader(state, ranking.size)
    if not now.strict or state.growth > 1.0:  # with a half-life, evidence fades in each round
        return 0
    find_best_neighbours(state)
    if now.n_tied > 0:
        return 0
    n_rounds = min(limit, now.crossing - state.leader_counts[now.place])
    for position in range(ranking.size):
        ranking[position] = state.order[position]
    state.leader_counts[now.place] += n_rounds
    return n_rounds


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    """Mean over the tied neighbours of 1 / (lists of that partition), 0 if `ranking` is not one."""
    now = state.now[0]
    if now.n_tied == 0:
        return propensity_of(state, LEADER, ranking)
    total = 0.0
    choice = 0
    while (
        choice < now.n_tied and state.tied[choice] < now.taken
    ):  # `tied` ascends: merges come first
        total += propensity_of(state, state.tied[choice], ranking)
        choice += 1
    if choice < now.n_tied:  # the others add one item of the rest, all with the same chance
        chance, guest = propensity_with_guest(state, ranking)
        if guest == NOBODY:
            total += chance * (now.n_tied - choice)
        elif chance > 0.0 and is_tied(state, guest, choice):
            total += chance
    return total / now.n_tied


@compiled
def propensity_of(state: State, neighbour: int, ranking: NDArray[np.int64]) -> float:
    """1 / (lists of the LEADER, or of a neighbour that merges two subsets), 0 if it is not one."""
    n_lists, respected = 1.0, True
    start = 0
    while start < ranking.size:
        end = state.ends[start]
        first = until = end  # order[first:until] joins the subset
        if end == neighbour:
            first = neighbour
            _, _, until = slots_of(state, neighbour)
        stop = end + until - first
        for position in range(start, min(stop, ranking.size)):
            home = state.start_of[state.scores[ranking[position]]]
            respected &= home == start or (until > first and home == first)
            n_lists *= stop - position
        start = stop
    return respected / n_lists


@compiled
def is_tied(state: State, item: int, choice: int) -> bool:
    """Whether an item of the rest is one of tied[choice:]."""
    now = state.now[0]
    if (
        now.played != LEADER and state.order[now.played] == item
    ):  # true at once for the ranking just shown
        return True
    while choice < now.n_tied and state.order[state.tied[choice]] != item:
        choice += 1
    return choice < now.n_tied


@compiled
def propensity_with_guest(state: State, ranking: NDArray[np.int64]) -> tuple[float, int]:
    """1 / (lists with one item of the rest in the last subset); which one is shown, or NOBODY."""
    n_lists, respected, guest = 1.0, True, NOBODY
    start = 0
    while start < ranking.size:
        end = state.ends[start]
        stop = end + (end == state.now[0].taken)
        for position in range(start, min(stop, ranking.size)):
            item = ranking[position]
            fits = state.start_of[state.scores[item]] == start
            if not fits and stop > end and guest == NOBODY:
                guest = item
                fits = True
            respected &= fits
            n_lists *= stop - position
        start = stop
    return respected / n_lists, guest


@compiled
def full(state: State) -> bool:
    return 2 * state.now[0].n_leaders >= state.leader_keys.size


@registry.register(
    "unirank",
    paper="Gauthier et al., ICML 2022",
    clicks="any",
    position_order=True,
    logarithmic=True,
    availability=True,
    catalogue=True,
    merge=True,
    start=True,
    forgetting=True,
    lists="random in the partition",
    regret="L/Delta log T",
)
class UniRank(PlayedPartitions):
    """Explores next to the current best ordered partition, for any click model.

    Parameters
    ----------
    early
        What to do while the budget is not positive, in the first rounds of each leader: play the
        "leader", or "explore" (all neighbours tie).
    budget
        What an index may cost in evidence: "kl-ucb" is ln t + 3 ln ln t, "ln" is ln t, where t
        counts the rounds with the present leader.

    Examples
    --------
    >>> policy = UniRank(items=["a", "b", "c", "d"], n_positions=2, seed=7)
    >>> shown = policy.rank()
    >>> policy.update(shown, clicks=[shown.items[0]])
    >>> policy.leader[0] == (shown.items[0],)
    True
    """

    kernels = PolicyKernels(rank, update, hold, propensity, full, remember, pass_round)
    pair_bytes = 8
    kept_pairs = "wins"
    early: Literal["leader", "explore"] = "leader"
    budget: Literal["kl-ucb", "ln"] = "kl-ucb"

    def initial_state(self) -> State:
        return initial_state(
            self.n_items,
            self.n_positions,
            loglog_weight=LOGLOG_WEIGHT[self.budget],
            explore_early=self.early == "explore",
            growth=growth_of(self.half_life),
        )

    def begin_with(self, order: NDArray[np.int64], trust: int) -> None:
        wins = wins_of(order, trust, self.n_items)
        self.state = with_statistics(self.state, wins, **NO_LEADERS)

    def grow(self) -> None:
        met = self.state.leader_keys != FREE
        keys, counts = filled_table(self.state.leader_keys[met], self.state.leader_counts[met])
        self.state = self.state._replace(leader_keys=keys, leader_counts=counts)
        self.state.now["stale"] = True  # the leader's place in the table has changed
        self.state.now["key"] = 0

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        super().recall(ranking, memory)
        self.state.now["played"] = LEADER  # which neighbour that round played is not kept
        forget_decisions(self.state, EVERY_NEIGHBOUR)

    def extend_state(self) -> None:
        found = self.statistics()
        wins = np.pad(found.pop("wins"), (0, 1))
        wins[wins.sum(axis=1) > 0, -1] = self.state.now["scale"]  # behind all that have ever won
        self.state = with_statistics(self.initial_state(), wins, **found)

    def _restricted(self, numbers: NDArray[np.int64]) -> State:
        if self.half_life is not None:
            rescale_if_due(self.state)
        if full(self.state):  # ranking may add a leader to its table
            self.grow()
        return super()._restricted(numbers)

    def _pass_restricted(self, number: int, numbers: NDArray[np.int64]) -> None:
        count_for_leader(self.state, self._restricted(numbers), numbers)
        if self.half_life is not None:
            age(self.state)

    def restricted_state(self, numbers: NDArray[np.int64]) -> State:
        return restricted_state(self.state, numbers, self.n_positions)

    def leave_restricted(self, restricted: Any, numbers: NDArray[np.int64]) -> bytes:
        size = count_round(self.state, restricted, numbers, self._memory)
        if self.half_life is not None:
            age(self.state)
        return self._memory[:size].tobytes()

    def renew_kept(self, kept: KeptState) -> bool:
        if (
            kept.state.now["rescaled"] != self.state.now["rescaled"]
        ):  # rescaled since: the copy is out of date
            return False
        catch_up(self.state, kept.state, kept.numbers, self.n_positions)
        return True

    def teach_kept(self, kept: KeptState) -> None:
        learn_too(self.state, kept.state, kept.local, self._clicks)

    def merged_statistics(self, theirs: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
        parts = [counted_now(part) for part in (self.statistics(), theirs, common)]
        clocks = [int(part.get("clock", [0])[0]) for part in parts]
        share, clock = aged_common(clocks[0], clocks[1], clocks[2], half_life=self.half_life)
        wins = summed("wins", *(part["wins"] for part in parts), share=share)
        led = summed("leaders", *(rounds_led(**part) for part in parts), share=share)
        number = self.state.wins.dtype
        return {
            "wins": np.maximum(wins, 0).astype(number),  # rounding must not make it negative
            "leader_keys": np.array(list(led), np.uint64),
            "leader_counts": np.maximum(np.array(list(led.values()), number), 0),
            **({} if self.half_life is None else {"scale": np.ones(1), "clock": np.array([clock])}),
        }

    def statistics(self) -> dict[str, NDArray[Any]]:
        met = self.state.leader_keys != FREE
        fading = (
            {} if self.half_life is None else {n: self.state.now[n] for n in ("scale", "clock")}
        )
        return {
            "wins": self.state.wins,
            "leader_keys": self.state.leader_keys[met],
            "leader_counts": self.state.leader_counts[met],
            **fading,
        }

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = with_statistics(self.initial_state(), **statistics)

    @property
    def leader(self) -> tuple[tuple[int | str, ...], ...]:
        """The ordered partition of item ids that the clicks so far support."""
        with self._guard:
            state, items = self._present()
            return tuple(tuple(items[i] for i in subset) for subset in subsets(state))

    def explain(self) -> UniRankExplanation:
        """Say who is ahead of whom, on how many clicks, and what the next round may try."""
        return self.explanation()

    def explanation(self) -> UniRankExplanation:
        with self._guard:
            return self._explanation()

    def _present(self) -> tuple[State, tuple[int | str, ...]]:
        """The state with its leader elicited, and the ids of its items: those not removed."""
        if full(self.state):  # looking can meet a new leader, too
            self.grow()
        numbers = self._choice(None)
        if numbers is not None:
            return self.restricted_state(numbers), self._ids(numbers)
        refresh_leader(self.state, self.n_positions)
        return self.state, self.items

    def _explanation(self) -> UniRankExplanation:
        state, items = self._present()
        find_best_neighbours(state)
        led = float(state.leader_counts[state.now["place"][0]] / state.now["scale"][0])
        here = float(budget_after(led, state.loglog_weight))
        fading = state.growth > 1.0
        parts, wins = subsets(state), wins_now(state)
        starts = np.cumsum([0, *map(len, parts)]).tolist()
        taken = int(state.now["taken"][0])
        n_displayed = starts.index(taken)
        slots = [*starts[1:n_displayed], *range(taken, len(items))]
        tied = set(state.tied[: state.now["n_tied"][0]].tolist())
        neighbours = neighbours_of(
            parts,
            n_displayed,
            wins,
            items,
            here,
            explore_early=state.explore_early,
            fewest=FEWEST if fading else 0.0,
            tried=[slot in tied for slot in slots],
        )
        return explanation_of(
            parts, n_displayed, wins, items, neighbours, int(led), here, fading=fading
        )
