"""A policy in a program: its rounds and files, many pages, A/B tests."""

from unirank.page.pages import Page, Pages
from unirank.page.rounds import Rounds
from unirank.page.split import ArmReport, DifferenceReport, Split, SplitRanking, SplitReport
from unirank.policies.base.on_page import OnPage

OnPage._rounds_class = Rounds

__all__ = [
    "ArmReport",
    "DifferenceReport",
    "Page",
    "Pages",
    "Split",
    "SplitRanking",
    "SplitReport",
]
