"""An A/B test between policies: assignment of sessions, counts, intervals, report."""

from unirank.live.split.report import ArmReport, DifferenceReport, SplitReport
from unirank.live.split.split import Split, SplitRanking

__all__ = ["ArmReport", "DifferenceReport", "Split", "SplitRanking", "SplitReport"]
