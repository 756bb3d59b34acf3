"""When nobody knows how long it will run
======================================

TopRank must know its *horizon*, the number of rounds to come: the longer it is, the more evidence
it collects before it decides. The lifetime of a page is rarely known. What does a wrong one cost?
"""

import unirank as ur

users = ur.PBM(attraction=[0.5, 0.4, 0.3, 0.2, 0.1, 0.1], examination=[1.0, 0.8, 0.6])
scale = {"n_positions": 3, "n_rounds": 100_000, "n_games": 10}

# %%
# Three horizons: far too short, right, and far too long. UniRank needs none.

traces = [
    ur.simulate(("toprank", {"horizon": horizon}), users, **scale)
    for horizon in (1_000, 100_000, 10**12)
]
traces.append(ur.simulate("unirank", users, **scale))

for trace in traces:
    print(f"{trace.label}: {trace.mean[-1]:,.0f} ± {trace.standard_error[-1]:,.0f} clicks lost")

# %%
# A long horizon costs clicks in every game. The short one looks best in these ten games. But it
# decides on less evidence, so now and then it settles on a wrong order for ever. Ten games are too
# few to see that.

ur.plots.regret(*traces, title="TopRank, told three horizons", path="horizons.png")
