"""Figures of traces and policies. They return a matplotlib figure, and save it to `path` if given.

matplotlib, of the extra `lab`, is imported when something is drawn. Figures of your own get the
same look by `matplotlib.style.use(unirank.plots.STYLE)`, and a policy its colour by `colour_of`.
"""

from unirank.lab.plots.gain_curve import gain
from unirank.lab.plots.leader_order import leader
from unirank.lab.plots.leader_strip import leader_history
from unirank.lab.plots.one_round import iteration
from unirank.lab.plots.pair_table import pairs
from unirank.lab.plots.pair_tests import pair_tests
from unirank.lab.plots.regret_curve import regret
from unirank.lab.plots.split import split
from unirank.lab.plots.theme import STYLE, colour_of

__all__ = [
    "STYLE",
    "colour_of",
    "gain",
    "iteration",
    "leader",
    "leader_history",
    "pair_tests",
    "pairs",
    "regret",
    "split",
]
