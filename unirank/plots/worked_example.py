"""The example that explains a round of UniRank: the paper's Figure 1, with its errata."""

import numpy as np

from unirank.policies.uni_rank.policy import UniRank

SEED = 5  # with which it shows (2, 1, 3, 5), as in the paper


def worked_example() -> UniRank:
    """The paper's Figure 1 with its errata: groups {1, 2} {3} {4, 5}, and 6, 7 below the page.

    1 and 2 are even, and so are 4 and 5; 7 is ahead of 6, which matters to nobody.
    """
    wins = np.zeros((7, 7), np.int64)
    scores = {
        (1, 2): (6, 6), (1, 3): (19, 5), (1, 4): (9, 1), (1, 5): (8, 1), (1, 6): (5, 0),
        (1, 7): (6, 0), (2, 3): (17, 6), (2, 4): (8, 1), (2, 5): (7, 2), (2, 6): (5, 0),
        (2, 7): (4, 0), (3, 4): (9, 6), (3, 5): (12, 6), (3, 6): (9, 2), (3, 7): (8, 2),
        (4, 5): (7, 7), (4, 6): (24, 3), (4, 7): (17, 3), (5, 6): (20, 2), (5, 7): (13, 4),
        (6, 7): (2, 4),
    }  # fmt: skip
    for (i, j), (won, lost) in scores.items():
        wins[i - 1, j - 1], wins[j - 1, i - 1] = won, lost
    policy = UniRank(range(1, 8), n_positions=4, seed=SEED)
    none = {"leader_keys": np.zeros(0, np.uint64), "leader_counts": np.zeros(0, np.int64)}
    policy.restore({"wins": wins, **none})
    _ = policy.leader  # which it thus has met
    policy.state.leader_counts[policy.state.now["place"][0]] = 20
    return policy
