"""The paper's theory, computed for any click model: assumptions, gaps and bounds."""

from unirank.theory.assumptions import Assumption, Assumptions, check_assumptions
from unirank.theory.corollaries import corollary_gaps
from unirank.theory.counter_examples import CounterExample
from unirank.theory.definition import Comparison, compared
from unirank.theory.gaps import Gap, Gaps, compute_gaps, why_no_bound
from unirank.theory.known_bounds import Bound
from unirank.theory.pairs import Pairs, compare_pairs
from unirank.theory.report import Report, examine
from unirank.theory.unimodality import dead_ends

__all__ = [
    "Assumption",
    "Assumptions",
    "Bound",
    "Comparison",
    "CounterExample",
    "Gap",
    "Gaps",
    "Pairs",
    "Report",
    "check_assumptions",
    "compare_pairs",
    "compared",
    "compute_gaps",
    "corollary_gaps",
    "dead_ends",
    "examine",
    "why_no_bound",
]
