"""Figures of traces and policies. They return a matplotlib figure, and save it to `path` if given.

matplotlib (`pip install 'unirank[lab]'`) is imported when something is drawn.
"""

from unirank.plots.gain_curve import gain
from unirank.plots.leader_order import leader
from unirank.plots.leader_strip import leader_history
from unirank.plots.one_round import iteration
from unirank.plots.pair_table import pairs
from unirank.plots.regret_curve import regret
from unirank.plots.split import split

__all__ = ["gain", "iteration", "leader", "leader_history", "pairs", "regret", "split"]
