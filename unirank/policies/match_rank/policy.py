"""MatchRank: Thompson sampling in a position model, kept honest by matched comparisons.

Our own policy; `unirank/plain/match_rank.py` is the edition to read first. It needs positions in
decreasing order of attention, and neither the click model, nor the examination, nor the horizon. No
regret bound is proved.

Each round:
    refresh   when 2 % more rounds have passed: the mode of the position model, the posterior
              around it (`model.py`), and the leader that model and guard agree on (`guard.py`)
    sample    log attractions from the tempered posterior; take the n_positions largest
    doubt     pass an item over the one above it with chance flip, from the top; then let every
              outsider challenge the last item
Then:
    update    count clicks per item and position; match the round with earlier ones in the slots
              of the leader that it shows straight or swapped

Random numbers of a round: draws 0 .. n_items - 1 break ties, the next n_positions are those of the
positions, and then come the guard's, one after the other; draw MOST_ITEMS + i is item i's.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import Rng
from unirank.kernels.selection import top_k
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.policy import Policy
from unirank.policies.match_rank.guard import MOST_DOUBT, compare, doubt_order, elect, weigh
from unirank.policies.match_rank.model import SLOPE, refresh, sample
from unirank.policies.match_rank.state import (
    State,
    initial_state,
    put_statistics,
    statistics_of,
)

LAZINESS = 0.02  # the model is refreshed when so many more rounds have passed, relatively


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    now = state.now[0]
    if now.rounds >= now.next_refresh:
        refresh(state)
        now.doubt = min(MOST_DOUBT, 1.0 / np.sqrt(1.0 + now.rounds))
        elect(state)
        now.next_refresh = now.rounds + 1 + np.int64(now.rounds * LAZINESS)
    elif now.stale:
        elect(state)
    now.rounds += 1
    now.shown_round = now.rounds
    now.shown_version = now.version
    sample(state, rng)
    top_k(state.samples, rng, ranking)
    doubt_order(state, rng, ranking)


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        state.shown[ranking[position], position] += 1
        state.clicked[ranking[position], position] += clicks[position]
    compare(state, ranking, clicks)


@registry.register(
    "matchrank",
    paper="our own",
    clicks="any",
    position_order=True,
    lists="posterior sample",
    regret="none known",
)
class MatchRank(Policy):
    """Samples lists from a position model of all rounds, guarded by matched comparisons.

    Matched comparisons of neighbours do not rest on the position model, and overrule it where they
    contradict it. No regret bound is known. Its lists have no known propensity.

    >>> policy = MatchRank(items=["a", "b", "c", "d"], n_positions=2, seed=1)
    >>> for _ in range(200):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"c"} & set(shown))
    >>> policy.leader[0]
    'c'
    """

    kernels = PolicyKernels(rank, update)

    def initial_state(self) -> State:
        return initial_state(self.n_items, self.n_positions, SLOPE, MOST_DOUBT)

    def remember(self) -> bytes:
        now = self.state.now[0]
        return np.array([now["shown_round"], now["shown_version"]], np.int64).tobytes()

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        self.state.now["shown_round"], self.state.now["shown_version"] = _decoded(memory)

    def check_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bool:
        if len(memory) != 16:
            return False
        shown_round, version = _decoded(memory)
        now = self.state.now[0]
        return 1 <= shown_round <= now["rounds"] and 0 <= version <= now["version"]

    def statistics(self) -> dict[str, NDArray[Any]]:
        return statistics_of(self.state)

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = self.initial_state()
        put_statistics(self.state, statistics)
        for i, j in np.argwhere(np.triu(self.state.sets) > 0.0).tolist():
            weigh(self.state, i, j)
        self.state.now["stale"] = statistics["now_stale"]

    @property
    def leader(self) -> tuple[int | str, ...]:
        """The list that model and matched comparisons support, best position first."""
        return self._ids(self.state.leader[: self.n_positions])


def _decoded(memory: bytes) -> tuple[int, int]:
    shown_round, version = np.frombuffer(memory, np.int64).tolist()
    return shown_round, version
