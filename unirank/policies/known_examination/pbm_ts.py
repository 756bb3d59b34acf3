"""PBM-TS: show the items whose attraction, drawn from what the clicks imply, is largest.

Lagree, Vernade and Cappe, "Multiple-Play Bandits in the Position-Based Model", NIPS 2016, section
on Thompson sampling. Assumes a position-based model: position k is looked at with probability
examination_k, whatever is shown, and an item that is looked at is clicked with its own attraction.
Must know the examination of every position, by decreasing order. No regret bound is proved. Not for
pages whose examination was never measured, nor for people who stop reading once they are satisfied.

    density_i(x) ~ x^S_i prod_k (1 - examination_k x)^(N_ik - S_ik) on [0, 1],   a uniform prior
    show           the n_positions items of largest sample, the largest first

where S_ik = clicked_ik, N_ik = shown_ik and S_i = sum_k S_ik. Samples are exact, by rejection from
an envelope that is rebuilt when the counts of its item change (`pbm_ts_posterior.py`). The paper
rejects from the Beta distribution of the most frequent position, which keeps few numbers where an
item was shown at several. It also opens with L rounds of cyclic lists, for the sake of its other
policies, which divide by counts: with a proper prior nothing is undefined before the first click,
and they are left out.

Draws: sample i starts from number MOST_ITEMS + i of the round, and equal samples are put in the
order of numbers i (`kernels/selection.py`).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import LARGEST_ROUND, MOST_ITEMS, Rng
from unirank.kernels.selection import top_k
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.known_examination.pbm_ts_posterior import ENVELOPE, Counts, build, sample
from unirank.policies.known_examination.state import KnownExamination


class State(NamedTuple):
    clicked: NDArray[np.int64]  # (n_items, n_positions)
    shown: NDArray[np.int64]  # (n_items, n_positions) counted when answered
    examination: NDArray[np.float64]  # (n_positions,)
    clicks: NDArray[np.int64]  # (n_items,) at all positions; this and the rest is derived
    refused: NDArray[np.int64]  # (n_items, n_positions) shown without a click
    stale: NDArray[np.bool_]  # (n_items,) the envelope is not that of the counts
    envelopes: Any  # (n_items,) records ENVELOPE
    samples: NDArray[np.float64]  # (n_items,) scratch


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    for item in range(state.samples.size):
        counts = Counts(state.clicks[item], state.refused[item], state.examination)
        if state.stale[item]:
            build(counts, state.envelopes[item])
            state.stale[item] = False
        state.samples[item] = sample(rng, MOST_ITEMS + item, counts, state.envelopes[item])
    top_k(state.samples, rng, ranking)


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        item = ranking[position]
        state.shown[item, position] += 1
        state.clicked[item, position] += clicks[position]
        state.clicks[item] += clicks[position]
        state.refused[item, position] += not clicks[position]
        state.stale[item] = True


@registry.register(
    "pbm-ts",
    paper="Lagree et al., NIPS 2016",
    clicks="position-based",
    position_order=True,
    lists="posterior sample",
    regret="none known",
)
class PBMTS(KnownExamination):
    """Shows the largest of random attractions, drawn as likely as the clicks so far make them.

    >>> policy = PBMTS(items=["a", "b", "c"], n_positions=2, examination=[1, 0.5])
    >>> for _ in range(100):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items))
    >>> policy.rank().items[0]
    'b'
    """

    kernels = PolicyKernels(rank, update)

    def initial_state(self) -> State:
        size = self.n_items, self.n_positions
        return State(
            clicked=np.zeros(size, np.int64),
            shown=np.zeros(size, np.int64),
            examination=np.array(self.examination),
            clicks=np.zeros(self.n_items, np.int64),
            refused=np.zeros(size, np.int64),
            stale=np.ones(self.n_items, np.bool_),
            envelopes=np.zeros(self.n_items, ENVELOPE),
            samples=np.zeros(self.n_items),
        )

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        super().restore(statistics)
        clicked, shown = self.state.clicked, self.state.shown
        if (shown > LARGEST_ROUND).any() or shown.sum(axis=1).max() > LARGEST_ROUND:
            raise ArgumentError(f"shown must be at most {LARGEST_ROUND} for every item")
        self.state.clicks[:] = clicked.sum(axis=1)
        self.state.refused[:] = shown - clicked
