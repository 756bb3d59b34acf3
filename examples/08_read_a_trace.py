"""Read a trace
============

A simulation returns a *trace*: the regret of every game at every checkpoint, with everything that
is needed to run it again.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import unirank as ur

plt.style.use(ur.plots.STYLE)  # the look of unirank's own figures

users = ur.PBM(attraction=[0.5, 0.4, 0.3, 0.2, 0.1, 0.1], examination=[1.0, 0.8, 0.6])
policy = ("epsilon-greedy", {"exploration": 5})
checkpoints = range(1000, 100_001, 1000)
scale = {"n_positions": 3, "n_rounds": 100_000, "n_games": 40, "checkpoints": checkpoints}
trace = ur.simulate(policy, users, **scale)

# %%
# It can be saved as a Parquet file, read again here or by any tool that reads Parquet, and run
# again from its recipe.

file = Path(tempfile.mkdtemp()) / "trace.parquet"
trace.save(file)
again = ur.Trace.load(file)
print(np.array_equal(again.regret, trace.regret), again.recipe()["policy"], again.recipe()["seed"])
print(again.to_polars().tail(3))

# %%
# A good mean can hide bad games. Each grey line is one game. A line that keeps rising straight is a
# game in which the policy has settled on a wrong order.

worst = trace.regret[:, -1].max()
print(f"mean {trace.mean[-1]:.0f}, median {np.median(trace.regret[:, -1]):.0f}, worst {worst:.0f}")

figure, axes = plt.subplots(figsize=(4.2, 2.6))
axes.plot(trace.rounds, trace.regret.T, color="grey", lw=0.5)
axes.plot(trace.rounds, trace.mean, color="black", lw=2, label="mean of 40 games")
axes.plot(trace.rounds, np.median(trace.regret, axis=0), color="#D55E00", lw=2, label="median")
axes.set(xlabel="rounds", ylabel="clicks lost", xlim=(0, 100_000), ylim=(0, None))
axes.legend()
figure.savefig("trace.png")
