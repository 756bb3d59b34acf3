"""A fair test
===========

How MatchRank compares two items on a page where the upper one gets more clicks because it is above.
"""

import matplotlib.pyplot as plt
import numpy as np

import unirank as ur
from unirank.lab.plots.theme import COLUMN, OPEN, PAGE, PALE, SURE

plt.style.use(ur.plots.STYLE)  # the look of unirank's own figures

SWAP = 0.1  # the chance of the other order
USERS = {
    "position-based users": ur.PBM(attraction=[0.4, 0.33], examination=[1.0, 0.6]),
    "cascade users": ur.CM(attraction=[0.4, 0.33]),
}
n_tests = 3000
rng = np.random.default_rng(0)

# %%
# Item b is proposed above item a, which is better. A coin shows them the other way round in one
# test of ten. x is clicks on b minus clicks on a. Its plain sum speaks for b, which is above in
# most tests. If each test weighs as much as the other order is likely, both orders count alike.

figure, (lists, *panels) = plt.subplots(
    1, 3, figsize=(PAGE, 0.62 * COLUMN), width_ratios=(1.3, 1, 1), layout="constrained"
)
for name, axes in zip(USERS, panels, strict=True):
    swapped = rng.random(n_tests) < SWAP
    x = np.empty(n_tests)
    for n in range(n_tests):
        ranking = [0, 1] if swapped[n] else [1, 0]
        clicks = USERS[name].draw_clicks(ranking, seed=0, round=n + 1)
        x[n] = clicks[ranking.index(1)] - float(clicks[ranking.index(0)])
    weight = np.where(swapped, 1 - SWAP, SWAP)
    axes.plot(np.cumsum(x), color=OPEN, lw=1, label="sum of x")
    axes.plot(np.cumsum(weight * x), color=SURE, lw=1, label="sum of w x, the gain")
    axes.axhline(0, color="black", lw=0.6)
    axes.legend(loc="upper left", frameon=False)
    axes.set(title=name, xlabel="tests", ylim=(-75, 250))
lists.set(title="one test", xlim=(0, 3), ylim=(0, 3))
lists.axis("off")
for left, title, order, chance in (
    (0.7, "as proposed", "ba", 1 - SWAP),
    (2.2, "the other way round", "ab", SWAP),
):
    lists.text(left, 2.6, title, ha="center")
    for y, item in zip((2.0, 1.3), order, strict=True):
        box = {"boxstyle": "round,pad=0.5", "facecolor": PALE, "edgecolor": "none"}
        lists.text(left, y, f"   {item}   ", ha="center", bbox=box)
    words = f"chance {chance:.1f}\nweight w = {1 - chance:.1f}"
    lists.text(left, 0.3, words, ha="center")
figure.savefig("fair_test.png")
