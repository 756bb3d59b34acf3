"""PBM-TS: Thompson sampling of the exact posterior, where the examination is known.

Lagree, Vernade and Cappe, "Multiple-Play Bandits in the Position-Based Model", NIPS 2016, section
on Thompson sampling, stated in `paper.py`: read that first. Clicks are
position-based. No regret bound is proved.

Samples are exact, by rejection from an envelope (`posterior.py`). The paper rejects from the Beta
distribution of the most frequent position, which accepts few numbers where an item was shown at
several. Its opening of L cyclic lists is left
out: with a proper prior nothing is undefined before the first click. Draws: sample i starts from
draw MOST_ITEMS + i of the round; draw i orders equal samples.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import LARGEST_ROUND, MOST_ITEMS, Rng
from unirank.policies.kernels.selection import top_k
from unirank.policies.known_examination.posterior import ENVELOPE, Counts, build, sample
from unirank.policies.known_examination.state import KnownExamination


class State(NamedTuple):
    clicked: NDArray[np.int64]  # (n_items, n_positions)
    shown: NDArray[np.int64]  # (n_items, n_positions)
    examination: NDArray[np.float64]  # (n_positions,)
    clicks: NDArray[np.int64]  # (n_items,) at all positions; this and `refused` are derived
    refused: NDArray[np.int64]  # (n_items, n_positions) shown without a click
    envelope: Any  # (1,) record ENVELOPE, scratch
    samples: NDArray[np.float64]  # (n_items,) of the last ranking


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    for item in range(state.samples.size):
        counts = Counts(state.clicks[item], state.refused[item], state.examination)
        build(counts, state.envelope[0])
        state.samples[item] = sample(rng, MOST_ITEMS + item, counts, state.envelope[0])
    top_k(state.samples, rng, ranking)


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        item = ranking[position]
        state.shown[item, position] += 1
        state.clicked[item, position] += clicks[position]
        state.clicks[item] += clicks[position]
        state.refused[item, position] += not clicks[position]


@registry.register(
    "pbm-ts",
    spelled="PBM-TS",
    paper="Lagree et al., NIPS 2016",
    clicks="position-based",
    position_order=True,
    lists="posterior sample",
    regret="none known",
)
class PBMTS(KnownExamination):
    """Thompson sampling of attractions, for positions whose examination is known.

    Do not use it where the examination was never measured, nor where users stop reading at a click.

    Examples
    --------
    >>> policy = PBMTS(items=["a", "b", "c"], n_positions=2, examination=[1, 0.5])
    >>> for _ in range(100):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items))
    >>> policy.rank().items[0]
    'b'
    """

    kernels = PolicyKernels(rank, update)

    def initial_state(self) -> State:
        return State(
            **self.counts(),
            clicks=np.zeros(self.n_items, np.int64),
            refused=np.zeros((self.n_items, self.n_positions), np.int64),
            envelope=np.zeros(1, ENVELOPE),
            samples=np.zeros(self.n_items),
        )

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        super().restore(statistics)
        clicked, shown = self.state.clicked, self.state.shown
        if (shown > LARGEST_ROUND).any() or shown.sum(axis=1).max() > LARGEST_ROUND:
            raise ArgumentError(f"shown must be at most {LARGEST_ROUND} for every item")
        self.state.clicks[:] = clicked.sum(axis=1)
        self.state.refused[:] = shown - clicked
