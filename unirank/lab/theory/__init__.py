"""The paper's theory, computed for any click model: assumptions, gaps and bounds."""

from unirank.lab.theory.assumptions import Assumption, Assumptions, check_assumptions
from unirank.lab.theory.corollaries import corollary_gaps
from unirank.lab.theory.counter_examples import CounterExample
from unirank.lab.theory.definition import Comparison, compared
from unirank.lab.theory.gaps import Gap, Gaps, compute_gaps, why_no_bound
from unirank.lab.theory.known_bounds import Bound
from unirank.lab.theory.pairs import Pairs, compare_pairs
from unirank.lab.theory.report import Report, examine
from unirank.lab.theory.unimodality import dead_ends

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
