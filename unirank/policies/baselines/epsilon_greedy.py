"""Epsilon-greedy: mostly the items by decreasing click rate, sometimes a random list.

The plain baseline of Sutton and Barto, "Reinforcement Learning", 1998; the decreasing schedule is
that of Auer, Cesa-Bianchi and Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem",
Machine Learning 2002 (epsilon_n-greedy). Assumes that a better item is clicked more often wherever
it stands, and must know the order of the positions. No regret bound is known on lists. Not for a
page: an item shown at a low position is clicked less, so it looks worse than it is until it was
shown elsewhere; a fixed epsilon loses linearly, and a decreasing one may stop exploring too soon.

    clicked_i, shown_i   clicks on item i, and times that it was shown and answered, anywhere
    epsilon_t            `epsilon`, or min(1, exploration / t) in round t = 1, 2, ...

Each round:
    with probability epsilon_t    a uniformly random list
    otherwise                     the K largest clicked_i / shown_i, the largest first; items never
                                  shown come before all, equal ones in a uniformly random order

Any two answers can be counted in any order, so late ones need no memory. Draw n_items decides
between the two; draws 0, 1, ... are then those of `random_order.py`, or of `selection.py`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.kernels.randomness import LARGEST_ROUND
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Positive, Probability
from unirank.policies.base.policy import Policy
from unirank.policies.baselines.epsilon_greedy_list import NOW, State, propensity, rank, update
from unirank.policies.known_examination.state import check_counts

PER_ITEM = 10  # `exploration` by default, times the number of items


@registry.register(
    "epsilon-greedy",
    paper="Sutton and Barto, 1998",
    clicks="any",
    position_order=True,
    lists="greedy or random",
    regret="none known",
)
class EpsilonGreedy(Policy):
    """Shows the items by click rate, and now and then a random list.

    `exploration` > 0 is c in the probability min(1, c / t) of a random list in round t, by default
    10 for each item; `epsilon` in [0, 1] is a fixed probability instead.

    >>> policy = EpsilonGreedy(items=["a", "b", "c"], n_positions=2, epsilon=0.01)
    >>> for _ in range(50):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items))
    >>> policy.rank().items[0]
    'b'
    """

    kernels = PolicyKernels(rank, update, propensity=propensity)
    exploration: Positive | None = None
    epsilon: Probability | None = None

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        exploration, epsilon = options["exploration"], options["epsilon"]
        if epsilon is not None and exploration is not None:
            raise ArgumentError(f"exploration must be left out beside epsilon, got {exploration!r}")
        if epsilon is None and exploration is None:
            exploration = PER_ITEM * self.n_items
        return {"exploration": exploration, "epsilon": epsilon}

    def initial_state(self) -> State:
        n_items, n_positions = self.n_items, self.n_positions
        now = np.zeros(1, NOW)
        now["bar"] = np.inf  # nothing was selected yet
        epsilon, exploration = self.epsilon, self.exploration
        return State(
            clicked=np.zeros(n_items, np.int64),
            shown=np.zeros(n_items, np.int64),
            rates=np.full(n_items, np.inf),
            greedy=np.arange(n_positions),
            in_greedy=np.arange(n_items) < n_positions,
            now=now,
            order=np.arange(n_items),
            picked=np.zeros(n_positions, np.int64),
            epsilon=-1.0 if epsilon is None else epsilon,
            exploration=exploration or 1.0,
        )

    def statistics(self) -> dict[str, NDArray[Any]]:
        return {
            "clicked": self.state.clicked,
            "shown": self.state.shown,
            "rounds": self.state.now["rounds"],
        }

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = self.initial_state()
        super().restore(statistics)
        clicked, shown = self.state.clicked, self.state.shown
        check_counts(clicked, shown)
        arguments.integer("rounds", int(self.state.now["rounds"][0]), shown.max(), LARGEST_ROUND)
        seen = shown > 0
        self.state.rates[seen] = clicked[seen] / shown[seen]
