"""Inside UniRank
==============

How UniRank's leader, the best order so far, develops; and the steps of one round.
"""

import unirank as ur
from unirank.lab.simulation import follow_leader

users = ur.PBM(attraction=[0.6, 0.5, 0.4, 0.3, 0.2], examination=[1.0, 0.8, 0.6])
policy = ur.UniRank(items=["a", "b", "c", "d", "e"], n_positions=3, seed=4)

# %%
# The leader round by round. Items without a line between them are tied.

history = follow_leader(policy, users, 20_000)
ur.plots.leader_history(history, path="leader_history.png")

# %%
# The next round: which item is ahead of which, the leader, its neighbours with their indices, and
# the list that is shown.

ur.plots.iteration(policy, path="one_round.png")

# %%
# The leader itself, with the evidence between its items.

ur.plots.leader(policy, path="leader.png")
print(policy.explain())
