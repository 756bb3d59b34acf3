"""The best ranking where only the first click counts, without a search of all rankings.

In all six click models the first click is at position k with probability

    d_k x_k a_k  prod_(l<k) (1 - x_l a_l),

where a_k is the attraction of the item shown there, x_k the chance of a look before any click, and
d_k, which never increases, the chance not to have tired. With weights w_k that never increase (1,
or 1 / k), let v_k = d_k w_k be what a first click at k earns. Then:

- An item is worth replacing by a more attractive one: what it earns is x_k a (v_k - R) + R, where R
  is what users who do not click it earn below, and R <= v_k. So the best items are the most
  attractive ones.
- Exchanging items i and j of positions k and k+1 gains (a_i - a_j) (x_k (v_k - R) - x_(k+1)
  (v_(k+1) - R)), with R <= v_(k+1) again. This is >= 0 for a_i >= a_j if x_k >= x_(k+1): where
  looks do not increase, the items by decreasing attraction are best.
- With v = 1, "any-click", the gain of any two positions has the sign of (a_i - a_j) (x_k - x_l):
  the most attractive item belongs where people look most.

With common clicks (PBM) the first click at k has the probability max(0, p_k - max_(l<k) p_l) of p_k
= x_k a_k, and a ranking is worth sum_k (w_k - w_(k+1)) max_(l<=k) p_l. The three statements hold:
every maximum grows with every a_k, and the most attractive item where people look most, if that is
the first position, makes all of them as large as they can be.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.users.objective import ANY_CLICK


def by_looks(attraction: NDArray[np.float64], looks: NDArray[np.float64]) -> NDArray[np.int64]:
    """Show the most attractive item where people look most, and so on; ties keep their order."""
    ranking = np.empty(looks.size, np.int64)
    ranking[np.argsort(-looks, kind="stable")] = np.argsort(-attraction, kind="stable")[
        : looks.size
    ]
    return ranking


def best_first_click(users: Any, looks: NDArray[np.float64], objective: str) -> NDArray[np.int64]:
    """Return the best ranking under "any-click" or "first-click", given the looks x_k."""
    best = by_looks(users.attraction, looks)
    if objective == ANY_CLICK or np.all(np.diff(looks) <= 0):
        return best
    found: NDArray[np.int64] = users.search(np.sort(best), looks.size, objective)
    return found
