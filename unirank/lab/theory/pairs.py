"""Compare each two items over all rankings, by the best method for the click model.

From formulas for PBM and CM; by looking at every ranking for any other click model, up to a few
million of them; and beyond that by drawing rankings at random, which can refute but not prove. If
n rankings that compare two items show no exception, then with 95 % confidence fewer than

    1 - 0.05^(1/n)   (about 3/n)

of all rankings are exceptions for these two.
"""

from dataclasses import dataclass
from math import perm
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.lab.theory.closed_forms import closed_least_differences, has_closed_form
from unirank.lab.theory.search import UNSEEN, least_differences
from unirank.users import ClickModel, Segments
from unirank.users.base import MOST_RANKINGS

Method = Literal["closed form", "exhaustive", "sampled"]
METHODS = ("closed form", "exhaustive", "sampled")
N_SAMPLED = 20_000
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Pairs:
    """The least expected click difference of each two items, and where it is."""

    n_positions: int
    method: Method
    n_rankings: int  # that exist or, where sampled, that were drawn
    n_compared: int  # rankings that compared the two items that were compared least
    least_difference: NDArray[np.float64]  # (n_items, n_items): min over rankings of Delta~_ij
    hardest: NDArray[np.int64]  # (n_items, n_items, n_positions): a ranking where it is

    @property
    def most_exceptions(self) -> float:
        """Share of rankings that may break what was found, at 95 % confidence; 0 if proved."""
        if self.method != "sampled":
            return 0.0
        return float(1.0 - (1.0 - CONFIDENCE) ** (1.0 / self.n_compared))

    def hardest_ranking(self, i: int, j: int) -> tuple[int, ...]:
        """The ranking in which i is least ahead of j."""
        return tuple(self.hardest[i, j].tolist())


def compare_pairs(
    users: ClickModel,
    n_positions: int,
    *,
    method: Method | None = None,
    n_sampled: int = N_SAMPLED,
    seed: int = 0,
) -> Pairs:
    """Compare each two items over all rankings of `n_positions`, by the best or a given method."""
    if isinstance(users, Segments):
        raise ArgumentError(
            f"users must be of one segment, because the theory knows one best order for all, got "
            f"{len(users.users)} segments: examine the click model of each"
        )
    n_positions = users.check_n_positions(n_positions)
    n_rankings = perm(users.n_items, n_positions)
    method = chosen_method(users, n_rankings) if method is None else method
    arguments.choice("method", method, METHODS)
    n_compared = n_rankings
    if method == "closed form":
        if not has_closed_form(users):
            raise ArgumentError(f"method must be exhaustive or sampled for {users.name}")
        least, hardest = closed_least_differences(users, n_positions)
    elif method == "exhaustive":
        if n_rankings > MOST_RANKINGS:
            raise ArgumentError(
                f"method must be sampled where there are more than {MOST_RANKINGS:,} rankings, "
                f"got {n_rankings:,}"
            )
        least, hardest = least_differences(users, n_positions)
    else:
        n_rankings = arguments.integer("n_sampled", n_sampled, 1)
        drawn = drawn_rankings(users.n_items, n_positions, n_rankings, arguments.seed(seed))
        n_compared = fewest_comparisons(drawn, users.n_items)
        least, hardest = least_differences(users, n_positions, drawn)
        least[least == UNSEEN] = 0.0
    return Pairs(n_positions, method, n_rankings, n_compared, least, hardest)


def chosen_method(users: ClickModel, n_rankings: int) -> Method:
    if has_closed_form(users):
        return "closed form"
    return "exhaustive" if n_rankings <= MOST_RANKINGS else "sampled"


def drawn_rankings(n_items: int, n_positions: int, n: int, seed: int) -> NDArray[np.int64]:
    """Return `n` rankings, drawn uniformly at random."""
    rng = np.random.default_rng(seed)
    return np.array([rng.permutation(n_items)[:n_positions] for _ in range(n)], np.int64)


def fewest_comparisons(rankings: NDArray[np.int64], n_items: int) -> int:
    """Number of rankings that show at least one of two items, for the two with the fewest."""
    shown = np.zeros((len(rankings), n_items), np.int64)
    np.put_along_axis(shown, rankings, 1, axis=1)
    counts = shown.sum(axis=0)
    either = counts[:, None] + counts[None, :] - shown.T @ shown
    np.fill_diagonal(either, len(rankings))
    return max(int(either.min()), 1)
