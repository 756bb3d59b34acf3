"""TopRank: shuffle items until one is proved better than another, and never compare these again.

Lattimore, Kveton, Li and Szepesvari, "TopRank: A Practical Algorithm for Online Stochastic
Ranking", NeurIPS 2018, Algorithm 1. Assumes that positions are given by decreasing attention, and
that a better item is clicked more often when two swap places: position-based, cascade and many more
models qualify. Must know the horizon T, for its confidence delta = 1/T. Regret O(L K / Delta log T)
and O(sqrt(K^3 L T log T)) at worst. Not for pages of unknown life: far too long a horizon makes
it slow to decide, too short a one makes it err; `doubling` lifts that, and starts afresh each time.
Not for beginning with a given order: what is not proved is shuffled, and what is proved is never
compared again. Weak prior evidence would not change the first lists, and evidence that proves a
pair would make a wrong order a loss for ever, where an error is to have a chance of 1/T.

For items i, j in the same block of the partition that was played, when exactly one was clicked:

    W_ij = how often it was i,   S_ij = W_ij - W_ji,   N_ij = W_ij + W_ji

Each round:
    blocks    P_1 = items that no item is better than; P_2 = the same without P_1; and so on.
              If there are none, which is a cycle of errors, all that are left are one block
    play      shuffle each block, concatenate, show the first K
    learn     i is better than j, for ever, once S_ij >= sqrt(2 N_ij ln(c / delta sqrt(N_ij)))
    doubling  when H rounds were played: forget all, H <- 2 H, delta <- 1 / H. The clicks of the
              last of them, and whatever comes later still, count as news
"""

from math import erf, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.base.facts import registry
from unirank.policies.base.half_life import aged_common, growth_of
from unirank.policies.base.kept_state import KeptState
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Horizon
from unirank.policies.base.sums import summed
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, below
from unirank.policies.shared.partition_memory import pack_played
from unirank.policies.shared.played_partitions import PlayedPartitions
from unirank.policies.top_rank.restricted import learn_too, restricted_state, write_memory
from unirank.policies.top_rank.state import (
    State,
    arrange,
    counted_now,
    displayed_blocks,
    forget,
    initial_state,
    let_proofs_lapse,
    with_statistics,
)

CONSTANT = 4 * sqrt(2 / pi) / erf(sqrt(2))  # c, 3.34368; often misprinted as 3.43


@compiled
def threshold(n_compared: float, delta: float, constant: float) -> float:
    """How large S must be after N comparisons to prove one item better."""
    return np.sqrt(2.0 * n_compared * np.log(constant / delta * np.sqrt(n_compared)))


@compiled
def count_rounds(state: State, n_rounds: int) -> None:
    now = state.now[0]
    now.rounds += n_rounds
    now.scale *= state.growth
    if state.doubling and now.rounds == now.horizon:
        forget(state, 2 * now.horizon)


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    now = state.now[0]
    if state.growth > 1.0:
        let_proofs_lapse(state)
    restore_order(state)
    for position in range(ranking.size):
        other = position
        n_left = state.shown_ends[position] - position
        if n_left > 1:
            other += below(rng, position, n_left)
        item = state.shown[other]
        state.shown[other] = state.shown[position]
        state.shown[position] = item
        state.swapped[position] = other
        ranking[position] = item
    now.stale = False
    count_rounds(state, 1)


@compiled
def pass_round(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    if state.growth > 1.0:
        let_proofs_lapse(state)
    count_rounds(state, 1)


@compiled
def restore_order(state: State) -> None:
    """Make `shown` the present blocks, each in ascending order."""
    n_positions = state.ends.size
    if state.now[0].stale:
        for position in range(n_positions):
            state.shown_ends[position] = state.ends[position]
        for slot in range(state.ends[n_positions - 1]):
            state.shown[slot] = state.order[slot]
        state.now[0].packed = 0
        return
    # Undoing the last shuffle is O(n_positions), whatever the catalogue.
    for position in range(n_positions - 1, -1, -1):
        other = state.swapped[position]
        item = state.shown[other]
        state.shown[other] = state.shown[position]
        state.shown[position] = item


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    n_positions = ranking.size
    weight = state.wins.dtype.type(state.now[0].scale)
    least = state.now[0].least * state.now[0].scale
    proved = False
    start = 0
    while start < n_positions:
        end = state.shown_ends[start]
        for position in range(start, min(end, n_positions)):
            if clicks[position]:
                clicked = state.shown[position]
                for slot in range(start, end):
                    if slot >= n_positions or not clicks[slot]:
                        other = state.shown[slot]
                        won, lost = state.wins[clicked, other] + weight, state.wins[other, clicked]
                        state.wins[clicked, other] = won
                        if (won - lost) * abs(won - lost) >= (won + lost) * least:
                            proved |= proves(state, clicked, other)
        start = end
    if proved:
        state.now[0].proved += 1
        arrange(state)


@compiled
def proves(state: State, clicked: int, other: int) -> bool:
    """Record one item as better than another if that is proved now; return whether it is."""
    now = state.now[0]
    if state.better[clicked, other]:
        return False
    won, lost = state.wins[clicked, other] / now.scale, state.wins[other, clicked] / now.scale
    if won - lost < threshold(won + lost, 1.0 / now.horizon, state.constant):
        return False
    state.better[clicked, other] = now.scale
    now.lapse = min(now.lapse, 2.0 * now.scale)
    state.n_better[other] += 1
    return True


@compiled
def hold(state: State, limit: int, ranking: NDArray[np.int64]) -> int:
    # Blocks of one item show one list, and teach nothing: no two items share a block.
    now = state.now[0]
    if not now.strict or state.growth > 1.0:  # with a half-life, proofs lapse
        return 0
    n_rounds = min(limit, now.horizon - now.rounds) if state.doubling else limit
    for position in range(ranking.size):
        ranking[position] = state.order[position]
    count_rounds(state, n_rounds)
    return n_rounds


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    """1 / (lists of the partition just played), 0 if `ranking` is not one."""
    n_lists, respected = 1.0, True
    start = end = 0
    for position in range(ranking.size):
        if position == end:
            start, end = end, state.shown_ends[position]
        fits = ranking[position] == state.shown[position]  # true at once for the ranking just shown
        slot = start
        while not fits and slot < end:
            fits = ranking[position] == state.shown[slot]
            slot += 1
        respected &= fits
        n_lists *= end - position
    return respected / n_lists


@compiled
def remember(state: State, memory: NDArray[np.uint8]) -> int:
    now = state.now[0]
    if now.packed == 0:  # all lists of the same blocks have the same memory
        now.packed = pack_played(state.shown, state.shown_ends, state.shown.size, state.memory)
    for place in range(now.packed):
        memory[place] = state.memory[place]
    return now.packed


def with_proofs(better: Any, wins: Any, horizon: int, constant: float) -> None:
    """Add to `better` what these wins prove."""
    n_compared = wins + wins.T
    tried = np.maximum(n_compared, 1)
    enough = np.sqrt(2.0 * tried * np.log(constant * horizon * np.sqrt(tried)))  # `threshold`
    better[(n_compared > 0) & (wins - wins.T >= enough) & (better == 0)] = 1


@registry.register(
    "toprank",
    paper="Lattimore et al., NeurIPS 2018",
    clicks="any",
    position_order=True,
    logarithmic=True,
    availability=True,
    catalogue=True,
    merge=True,
    forgetting=True,
    lists="random in the partition",
    regret="L K/Delta log T",
)
class TopRank(PlayedPartitions):
    """Shuffles items until some are proved better than others, for any click model.

    Parameters
    ----------
    doubling
        Take the horizon as a first guess: each time it is reached it is doubled, and all is
        forgotten.
    constant
        c in the threshold of a proof.

    Examples
    --------
    >>> policy = TopRank(items=["a", "b", "c"], n_positions=2, horizon=1000)
    >>> for _ in range(100):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks=[item for item in shown.items if item == "c"])
    >>> policy.blocks
    (('c',), ('a', 'b'))
    """

    kernels = PolicyKernels(
        rank, update, hold, propensity, remember=remember, pass_round=pass_round
    )
    pair_bytes = 9
    kept_pairs = "better"
    horizon: Horizon
    doubling: bool = False
    constant: float = CONSTANT

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        if options["constant"] < 1:
            raise ArgumentError(f"constant must be >= 1, got {options['constant']!r}")
        return options

    def initial_state(self) -> State:
        growth = growth_of(self.half_life)
        return initial_state(self.n_items, self.n_positions, **self.options, growth=growth)

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        super().recall(ranking, memory)
        self.state.now["stale"] = True

    def extend_state(self) -> None:
        found = self.statistics()
        tables = {name: np.pad(found[name], (0, 1)) for name in ("wins", "better")}
        self.state = with_statistics(self.initial_state(), **{**found, **tables})

    def _serve_restricted(self, number: int, numbers: NDArray[np.int64]) -> tuple[float, bytes]:
        if self.half_life is not None:
            let_proofs_lapse(self.state)
        return super()._serve_restricted(number, numbers)

    def _pass_restricted(self, number: int, numbers: NDArray[np.int64]) -> None:
        self._pass_one(number)  # rounds are counted alike, whichever items there are

    def restricted_state(self, numbers: NDArray[np.int64]) -> State:
        return restricted_state(self.state, numbers)

    def leave_restricted(self, restricted: Any, numbers: NDArray[np.int64]) -> bytes:
        size = write_memory(self.state, restricted, numbers, self._memory)
        count_rounds(self.state, 1)
        return self._memory[:size].tobytes()

    def renew_kept(self, kept: KeptState) -> bool:
        kept.state.now["scale"] = self.state.now["scale"]
        return bool(kept.state.now["dropped"] == self.state.now["dropped"])

    def teach_kept(self, kept: KeptState) -> None:
        learn_too(self.state, kept.state, kept.local, self._clicks)

    def merged_statistics(self, theirs: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
        parts = [counted_now(part) for part in (self.statistics(), theirs, common)]
        horizons = {int(part["clock"][1]) for part in parts}
        if len(horizons) > 1:
            raise ArgumentError("other must not have started afresh since the copies parted")
        clocks = [int(part["clock"][0]) for part in parts]
        share, rounds = aged_common(clocks[0], clocks[1], clocks[2], half_life=self.half_life)
        if self.doubling and rounds >= min(horizons):
            raise ArgumentError(
                f"other must leave a round of horizon={min(horizons)}, got {rounds} in both copies"
            )
        wins = np.maximum(summed("wins", *(part["wins"] for part in parts), share=share), 0)
        better = np.maximum(parts[0]["better"], parts[1]["better"])
        with_proofs(better, wins, min(horizons), self.constant)
        return {
            **parts[0],
            "wins": wins.astype(self.state.wins.dtype),
            "better": better,
            "clock": np.array([rounds, min(horizons)]),
        }

    def statistics(self) -> dict[str, NDArray[Any]]:
        now = self.state.now
        return {
            "wins": self.state.wins,
            "better": self.state.better,
            "clock": np.concatenate((now["rounds"], now["horizon"])),
            **({} if self.half_life is None else {"scale": now["scale"]}),
        }

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = with_statistics(self.initial_state(), **statistics)

    @property
    def current_horizon(self) -> int:
        """The horizon for which it now decides: doubled at each fresh start."""
        return int(self.state.now["horizon"][0])

    @property
    def blocks(self) -> tuple[tuple[int | str, ...], ...]:
        """The blocks that reach the page, as item ids: members of one are not yet told apart."""
        with self._guard:
            numbers = self._choice(None)
            state = self.state if numbers is None else self.restricted_state(numbers)
            items = self.items if numbers is None else self._ids(numbers)
            found = displayed_blocks(state)
        return tuple(tuple(items[index] for index in block) for block in found)
