"""Inside UniRank
==============

How the leader, the order that the clicks speak for, grows out of nothing; and what one round looks
like from inside.
"""

from pathlib import Path

import unirank as ur
from unirank.plots.saving import save_figure
from unirank.simulation import follow_leader

users = ur.PBM(attraction=[0.6, 0.5, 0.4, 0.3, 0.2], examination=[1.0, 0.8, 0.6])
policy = ur.UniRank(items=["a", "b", "c", "d", "e"], n_positions=3, seed=4)

# %%
# The leader round by round; items in one frame are not told apart.

history = follow_leader(policy, users, 20_000)
save_figure(ur.plots.leader_history(history), Path("leader_history.png"))

# %%
# The next round: who is ahead of whom, the leader, its neighbours with their indices, and what is
# shown.

save_figure(ur.plots.iteration(policy), Path("one_round.png"))

# %%
# The leader itself, with the evidence between its items.

save_figure(ur.plots.leader(policy), Path("leader.png"))
print(policy.explain())
