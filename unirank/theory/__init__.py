"""The paper's theory by computation: assumptions, gaps, bounds, for any click model."""

from unirank.theory.assumptions import Assumption, Assumptions, CounterExample, check_assumptions
from unirank.theory.corollaries import corollary_gaps
from unirank.theory.definition import Comparison, compared
from unirank.theory.gaps import Gap, Gaps, compute_gaps, why_no_bound
from unirank.theory.pairs import Pairs, compare_pairs
from unirank.theory.unimodality import dead_ends

__all__ = [
    "Assumption",
    "Assumptions",
    "Comparison",
    "CounterExample",
    "Gap",
    "Gaps",
    "Pairs",
    "check_assumptions",
    "compare_pairs",
    "compared",
    "compute_gaps",
    "corollary_gaps",
    "dead_ends",
    "why_no_bound",
]
