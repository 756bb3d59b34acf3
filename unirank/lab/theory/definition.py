"""How the clicks on a ranking compare two items: the paper's Definition 3.2.

Show users the ranking a or the same with i and j exchanged, (i,j) o a, at the toss of a coin:

    probability of difference    delta~_ij(a) = P(c_i != c_j)
    expected click difference    Delta~_ij(a) = E[c_i - c_j | c_i != c_j]

An item that is not shown is not clicked; exchanging it with one that is shown puts it in its place.
Where the clicks never differ, Delta~ is a mean over nothing: it is 0 here, which no assumption
accepts as a difference.

The illustration of the paper writes Delta~_ij = (theta_i - theta_j) / (theta_i + theta_j) d_ij with
d_ij > 1 for PBM: d_ij is exactly 1 when only one of the two is shown. And its proof of Lemma 1
keeps one product for both of the rankings of CM, though the product down to the second item holds
1 - theta_i in one and 1 - theta_j in the other; the proof of the corollary, and the code, have it
right, and the sign is the same.
"""

from collections.abc import Sequence
from typing import NamedTuple

from unirank.users import ClickModel

# A chance that is the rest of a subtraction, P(c_i) - P(c_i and c_j), is rounding below this share.
ROUNDING = 1e-14


class Comparison(NamedTuple):
    """Two items at one ranking."""

    probability: float  # delta~: the clicks on the two differ
    difference: float  # Delta~: how far the first is ahead when they do, -1..1


def exchanged(ranking: Sequence[int], i: int, j: int) -> tuple[int, ...]:
    """The ranking with items i and j exchanged, (i,j) o a."""
    other = {i: j, j: i}
    return tuple(other.get(item, item) for item in ranking)


def compared(users: ClickModel, ranking: Sequence[int], i: int, j: int) -> Comparison:
    """Compare items i and j by the clicks on the ranking and on the same with both exchanged."""
    ways = [tuple(ranking), exchanged(ranking, i, j)]
    i_only = sum(clicked_alone(users, way, i, j) for way in ways) / 2
    j_only = sum(clicked_alone(users, way, j, i) for way in ways) / 2
    probability = i_only + j_only
    return Comparison(probability, (i_only - j_only) / probability if probability > 0 else 0.0)


def clicked_alone(users: ClickModel, ranking: Sequence[int], i: int, j: int) -> float:
    """P(c_i = 1, c_j = 0)."""
    if i not in ranking:
        return 0.0
    k = ranking.index(i)
    clicked = float(users.expected_clicks(ranking)[k])
    if j not in ranking:
        return clicked
    alone = clicked - float(users.joint_clicks(ranking)[k, ranking.index(j)])
    return alone if alone > ROUNDING * clicked else 0.0
