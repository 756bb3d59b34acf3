"""A page that saves and resumes
=============================

Clicks come late, some never, and the server restarts in between. A round is answered by its number,
and a saved policy continues exactly where it was.
"""

import heapq
import random
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

import unirank as ur

plt.style.use(ur.plots.STYLE)  # the look of unirank's own figures

items = ["news", "sport", "music", "maps", "games"]
visitors = ur.PBM(attraction=[0.5, 0.4, 0.3, 0.2, 0.1], examination=[1.0, 0.7, 0.5])
luck = random.Random(1)
state = Path(tempfile.mkdtemp()) / "page.unirank"

policy = ur.UniRank(items, n_positions=3, seed=1)
late, waiting, restarts = [], [], []

for now in range(1, 3001):
    shown = policy.rank()
    drawn = visitors.draw_clicks([items.index(item) for item in shown.items], seed=2, round=now)
    clicks = [item for item, click in zip(shown.items, drawn, strict=True) if click]
    if luck.random() < 0.9:  # one in ten never reports; the others do within 50 rounds
        heapq.heappush(late, (now + luck.randrange(50), shown.round, clicks))
    while late and late[0][0] <= now:
        _, number, clicked = heapq.heappop(late)
        policy.update(number, clicks=clicked)
    if now % 1000 == 0:  # the server goes down and comes back
        policy.save(state)
        policy = ur.load(state)
        restarts.append(now)
    waiting.append(len(late))

# %%
# After three restarts, and with answers out of order, it has found the best order.

print(policy)
print(policy.leader)

figure, axes = plt.subplots(figsize=(4.2, 2.6))
axes.plot(range(1, 3001), waiting, lw=0.8, label="rounds whose clicks are on their way")
for restart in restarts:
    label = "saved and loaded" if restart == restarts[0] else ""
    axes.axvline(restart, color="#D55E00", lw=1, label=label)
axes.set(xlabel="rounds", ylabel="answers on their way", ylim=(0, None))
axes.legend(loc="lower right")
figure.savefig("late_clicks.png")
