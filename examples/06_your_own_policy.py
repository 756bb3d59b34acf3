"""Your own policy
===============

A policy in plain Python: what it learns (``start``), what it shows (``rank``), how it learns
(``update``). This one shows random lists at first, and then the items that were clicked most often
per time shown.
"""

import numpy as np

import unirank as ur


class FirstExplore(ur.PlainPolicy):
    """Shows random lists for `explore` rounds, then the items by click rate."""

    explore: int = 200  # an option: an annotated attribute

    def start(self):
        self.clicked = np.zeros(self.n_items)
        self.shown = np.ones(self.n_items)

    def rank(self, rng):
        if self.shown.sum() < self.explore * self.n_positions:
            return rng.permutation(self.n_items)[: self.n_positions]
        return np.argsort(-self.clicked / self.shown, kind="stable")[: self.n_positions]

    def update(self, ranking, clicks):
        self.shown[ranking] += 1
        self.clicked[ranking] += clicks


# %%
# It meets simulated users, beside UniRank and random order.

if __name__ == "__main__":
    users = ur.PBM(attraction=[0.5, 0.45, 0.4, 0.35, 0.3, 0.3], examination=[1.0, 0.8, 0.6])
    scale = {"n_positions": 3, "n_rounds": 5_000, "n_games": 5}
    traces = [ur.simulate(policy, users, **scale) for policy in (FirstExplore, "unirank", "random")]
    for trace in traces:
        print(f"{trace.label}: {trace.mean[-1]:.0f} ± {trace.standard_error[-1]:.0f} clicks lost")
    ur.plots.regret(*traces, title="A policy of your own", path="your_own_policy.png")
