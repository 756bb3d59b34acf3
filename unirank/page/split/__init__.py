"""An A/B test between policies: assignment of sessions, counts, intervals, report."""

from unirank.page.split.report import ArmReport, DifferenceReport, SplitReport
from unirank.page.split.split import Split, SplitRanking

__all__ = ["ArmReport", "DifferenceReport", "Split", "SplitRanking", "SplitReport"]
