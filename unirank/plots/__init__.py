"""Traces and policies to figures; nothing heavy is computed here.

matplotlib (`pip install 'unirank[lab]'`) is imported when something is drawn.
"""

from unirank.plots.leader_order import leader
from unirank.plots.leader_strip import leader_history
from unirank.plots.one_round import iteration
from unirank.plots.pair_table import pairs

__all__ = ["iteration", "leader", "leader_history", "pairs"]
