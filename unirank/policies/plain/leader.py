"""UniRank's leader: the ordered partition that the statistics support.

Algorithm 2 of the paper, with its errata resolved.
"""

from collections.abc import Sequence

from unirank.policies.plain.partitions import Partition, Subset


def dominates(
    differences: Sequence[Sequence[int]], winners: Sequence[int], losers: Sequence[int]
) -> bool:
    """Whether every winner is ahead of every loser."""
    return all(differences[i][j] > 0 for i in winners for j in losers)


def elicit_leader(differences: Sequence[Sequence[int]], n_positions: int) -> Partition:
    """Take the smallest dominating subset again and again, until n_positions items are taken.

    What remains then is one last subset.
    """
    remaining = list(range(len(differences)))
    leader: list[Subset] = []
    while sum(len(subset) for subset in leader) < n_positions:
        wins = {i: sum(differences[i][j] > 0 for j in remaining) for i in remaining}
        order = sorted(remaining, key=wins.__getitem__, reverse=True)
        size = min(
            size
            for size in range(1, len(order) + 1)
            if dominates(differences, order[:size], order[size:])
        )
        leader.append(tuple(sorted(order[:size])))
        remaining = order[size:]
    if remaining:
        leader.append(tuple(sorted(remaining)))
    return tuple(leader)
