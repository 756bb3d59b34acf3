"""First experiment
================

How many clicks does learning cost? Play many games of UniRank with simulated users, and count the
clicks lost compared with showing the best order from the start. That loss is the *regret*.
"""

import unirank as ur

# %%
# Ten items, five places on the page. People look less at lower places, and like some items more.

users = ur.PBM(
    attraction=[0.5, 0.45, 0.4, 0.35, 0.3, 0.1, 0.1, 0.1, 0.1, 0.1],
    examination=[1.0, 0.8, 0.6, 0.5, 0.4],
)
scale = {"n_positions": 5, "n_rounds": 100_000, "n_games": 10}
learner = ur.simulate("unirank", users, **scale)
floor = ur.simulate("random", users, **scale)

# %%
# Showing things in random order loses the same number of clicks in every round. UniRank loses
# most of its clicks early, while it learns.

for trace in (learner, floor):
    early, end = trace.at(10_000).mean(), trace.at(100_000).mean()
    print(f"{trace.label}: {early:,.0f} clicks lost in 10,000 rounds, {end:,.0f} in 100,000")

ur.plots.regret(learner, floor, title="Clicks lost while learning", y="log", path="regret.png")
