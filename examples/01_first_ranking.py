"""First ranking
=============

A page shows two of four things. We do not know which ones people like, nor how much the place on
the page matters. UniRank tries orders, compares the clicks, and settles on the best order.
"""

import matplotlib.pyplot as plt

import unirank as ur

plt.style.use(ur.plots.STYLE)  # the look of unirank's own figures

items = ["tea", "mug", "pot", "tray"]
policy = ur.UniRank(items, n_positions=2, seed=7)

# %%
# Here the visitors are simulated: each thing is liked with some probability, and six in ten look at
# the second place. On your own page you show ``shown.items`` and wait for real clicks.

visitors = ur.PBM(attraction=[0.25, 0.4, 0.35, 0.2], examination=[1.0, 0.6])
first_place = []

for visit in range(1, 5001):
    shown = policy.rank()
    places = visitors.draw_clicks([items.index(item) for item in shown.items], seed=0, round=visit)
    clicks = [item for item, clicked in zip(shown.items, places, strict=True) if clicked]
    policy.update(shown, clicks=clicks)
    first_place.append(shown.items[0])

# %%
# The best order so far. Items in one pair of brackets are tied.

print(policy.leader)
print(policy.explain())

# %%
# How often each thing stood first, in every hundred visits.

figure, axes = plt.subplots(figsize=(4.2, 2.6))
shares = {i: [first_place[k : k + 100].count(i) for k in range(0, 5000, 100)] for i in items}
axes.stackplot(range(100, 5001, 100), shares.values(), labels=items)
axes.set(xlabel="visits", ylabel="% of visits", xlim=(100, 5000), ylim=(0, 100))
axes.set_title("What stood in the first place")
axes.legend(loc="center right", framealpha=0.9)
figure.savefig("first_ranking.png")
