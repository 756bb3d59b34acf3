"""Your own log
============

A click log says what was shown and what was clicked. From it we estimate click models, and try
policies on them before any real visitor sees these. Here the log is drawn from a known click model,
so that we can compare the estimates with the truth.
"""

import csv
import random
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

import unirank as ur
from unirank.cli.main import app

plt.style.use(ur.plots.STYLE)  # the look of unirank's own figures

items = ["tea", "mug", "pot", "tray"]
people = ur.PBM(attraction=[0.5, 0.4, 0.2, 0.1], examination=[1.0, 0.6, 0.4])
luck = random.Random(0)
folder = Path(tempfile.mkdtemp())

# %%
# A log has one line per shown item: session, query, position, item and click. The rankings must
# vary, so each visit sees a random one.

with (folder / "log.csv").open("w", newline="") as file:
    log = csv.writer(file)
    log.writerow(["session", "query", "position", "item", "click"])
    for visit in range(1, 20_001):
        page = luck.sample(range(4), 3)
        clicks = people.draw_clicks(page, seed=0, round=visit)
        for position, (item, click) in enumerate(zip(page, clicks, strict=True), 1):
            log.writerow([visit, "kitchen", position, items[item], int(click)])

# %%
# The same as ``unirank fit log.csv --format sessions --model pbm --out fitted.json``.

words = f"fit {folder}/log.csv --format sessions --model pbm --out {folder}/fitted.json"
app(words.split(), result_action="return_value")
(users,) = ur.lab.datasets.load_problems(f"{folder}/fitted.json", n_positions=3).values()

# %%
# The estimates beside the true parameters.

estimated = users.settings["attraction"], users.settings["examination"]
true = sorted(people.settings["attraction"], reverse=True), people.settings["examination"]
figure, panels = plt.subplots(1, 2, figsize=(6.7, 2.4), sharey=True)
for axes, title, found, wanted in zip(panels, ("items", "positions"), estimated, true, strict=True):
    axes.bar(
        range(1, len(wanted) + 1), sorted(found, reverse=True), color="#CFE3F2", label="fitted"
    )
    axes.plot(range(1, len(wanted) + 1), wanted, "o", color="#0072B2", label="true")
    axes.set(title=title, xlabel="best first", xticks=range(1, len(wanted) + 1))
panels[1].legend()
figure.savefig("fitted.png")
