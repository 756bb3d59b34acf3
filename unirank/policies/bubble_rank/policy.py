"""BubbleRank: improve a good list by exchanging neighbours, and never stray far from it.

Li, Kveton, Lattimore, Markov, de Rijke, Szepesvari and Zoghi, "BubbleRank: Safe Online Learning to
Re-Rank via Implicit Click Feedback", UAI 2019, Algorithm 1. Assumes that positions are given by
decreasing attention, and that a better item is clicked more often when two neighbours swap places.
Must know the horizon T, for its confidence delta = T^-4, and does best from a good start list.
Regret O(K (K + V) / Delta log T), where V counts the wrongly ordered pairs of that list; with
probability 1 - delta K^2 T no list shown has more than K/2 wrongly ordered pairs above those V.
Not for a start from nothing: an item climbs one position at a time, each on hundreds of clicks.

The base list R_1..R_K is shown but for swaps. For two items that were compared:

    W_ij = rounds with a click on i and none on j,   s_ij = W_ij - W_ji,   n_ij = W_ij + W_ji
    i is certainly better than j when s_ij > 2 sqrt(n_ij ln(1 / delta)) = 4 sqrt(n_ij ln T)

Round t = 1, 2, ...:
    pairs     positions (1, 2), (3, 4), ... if t is even, (2, 3), (4, 5), ... if t is odd
    play      R, each pair swapped with probability 1/2 unless its upper item is certainly better
    learn     compare the two items of each pair, as displayed
    bubble    from top to bottom, exchange R_k and R_k+1 if R_k+1 is certainly better

The paper has as many items as positions. Any others wait in a pool, one of which may stand at
position K when the pairs leave it out:
    play      draw j from the pool; show j or R_K, with probability 1/2 each
    learn     compare what was shown with the other of the two, which counts as not clicked
    settle    after `bubble`, for each j of the pool in turn: drop j for good if R_K is certainly
              better; if j is, it becomes R_K, and the old R_K is dropped for good

Draws of a round: p says whether the pair at positions p, p + 1 (from 0) swaps, K - 1 whether the
pool's item is shown, K which one it is. Round 0 draws the start list, if none is given.

Certainty can be lost again, since certain pairs go on being compared: rounds are held only where
nothing is compared any more, on a page of one position with an empty pool.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Horizon, StartList
from unirank.policies.base.policy import Policy
from unirank.policies.bubble_rank.round import (
    NOBODY,
    hold,
    last_is_alone,
    propensity,
    rank,
    update,
)
from unirank.policies.bubble_rank.state import State, initial_state, start_list, with_statistics


@registry.register(
    "bubblerank",
    paper="Li et al., UAI 2019",
    clicks="any",
    position_order=True,
    logarithmic=True,
    lists="neighbours swapped at random",
    regret="K (K + V)/Delta log T",
)
class BubbleRank(Policy):
    """Exchanges neighbours of a start list once they are certainly in the wrong order.

    `horizon` is the number of rounds to come. `initial` is the start list: n_positions item ids, or
    all of them, the first n_positions of which are shown; by default a random order.

    >>> policy = BubbleRank(items=["a", "b", "c"], n_positions=2, horizon=100, initial=["a", "b"])
    >>> for _ in range(300):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks=[item for item in shown.items if item == "b"])
    >>> policy.base_list, policy.pool
    (('b', 'a'), ('c',))
    """

    kernels = PolicyKernels(rank, update, hold, propensity)
    horizon: Horizon
    initial: StartList | None = None

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        if options["initial"] is not None:
            start_list(self.items, self.n_positions, options["initial"])
        return options

    def initial_state(self) -> State:
        base = None
        if self.initial is not None:
            base = start_list(self.items, self.n_positions, self.initial)
        return initial_state(self.n_items, self.n_positions, self.horizon, base)

    def remember(self) -> bytes:
        now = self.state.now
        return np.concatenate((now["offset"], now["other"])).tobytes()

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        self.state.now["offset"], self.state.now["other"] = np.frombuffer(memory, np.int64)

    def check_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bool:
        if len(memory) != 16:
            return False
        offset, other = np.frombuffer(memory, np.int64).tolist()
        if offset not in (0, 1):
            return False
        alone = last_is_alone(offset, self.n_positions)
        return other == NOBODY or bool(
            alone and 0 <= other < self.n_items and other not in ranking.tolist()
        )

    def statistics(self) -> dict[str, NDArray[Any]]:
        now = self.state.now
        return {
            "wins": self.state.wins,
            "base": self.state.base,
            "clock": np.concatenate((now["rounds"], now["n_pool"])),
        }

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = with_statistics(self.initial_state(), **statistics)

    @property
    def base_list(self) -> tuple[int | str, ...]:
        """The list around which it explores; empty until the first round draws it, if it must."""
        if self.round == 0 and self.initial is None:
            return ()
        return self._ids(self.state.base[: self.n_positions])

    @property
    def pool(self) -> tuple[int | str, ...]:
        """Items that may still find their way onto the page, in no particular order."""
        if not self.base_list:
            return self.items
        end = self.n_positions + int(self.state.now["n_pool"][0])
        return self._ids(self.state.base[self.n_positions : end])
