"""Policies in service: many pages in a folder, and A/B tests."""

from unirank.live.pages import Page, Pages
from unirank.live.split import ArmReport, DifferenceReport, Split, SplitRanking, SplitReport

__all__ = [
    "ArmReport",
    "DifferenceReport",
    "Page",
    "Pages",
    "Split",
    "SplitRanking",
    "SplitReport",
]
