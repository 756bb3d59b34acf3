"""Inside MatchRank
================

What MatchRank believes of items and positions, what its tests of neighbours have seen, and what it
shows next.
"""

import unirank as ur
from unirank.lab.simulation import follow_leader

users = ur.PBM(attraction=[0.6, 0.5, 0.4, 0.3, 0.2], examination=[1.0, 0.8, 0.6])
policy = ur.MatchRank(items=["a", "b", "c", "d", "e"], n_positions=3, seed=1)
history = follow_leader(policy, users, 5_000)

# %%
# In words: the list that it supports, the evidence, and the chances of the next round.

print(policy.explain())

# %%
# The leader with the intervals of the model: it knows least of what it shows least.

ur.plots.leader(policy, path="matchrank_leader.png")

# %%
# The tests: neighbours in the list, swapped by lot. They need no model of how people click.

ur.plots.pair_tests(policy, path="matchrank_tests.png")

# %%
# How its leader has developed.

ur.plots.leader_history(history, path="matchrank_history.png")
