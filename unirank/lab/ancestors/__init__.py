"""The bandits that UniRank descends from, on their own problems instead of rankings.

Unimodal bandits (Combes and Proutiere, ICML 2014): arms on a graph on which every arm but the best
has a better neighbour. `GraphOSUB` explores only around the best arm so far. UniRank searches
ordered partitions in the same way.

Matching bandits (Sentenac et al., ICML 2021): pairs of items succeed or fail.
`SimpleAdaptiveMatching` keeps items in clusters, compares them by meeting the same others, and cuts
a cluster where it sees a difference. UniRank compares items by exchanging them.

The same algorithms as ranking policies are `osub` and `sam` in `unirank.policies`.
"""

from unirank.lab.ancestors.games import RegretCurves, play_matching, play_unimodal
from unirank.lab.ancestors.graph_osub import GraphOSUB
from unirank.lab.ancestors.matching_problem import MatchingProblem
from unirank.lab.ancestors.simple_adaptive_matching import SimpleAdaptiveMatching
from unirank.lab.ancestors.unimodal_problem import UnimodalProblem

__all__ = [
    "GraphOSUB",
    "MatchingProblem",
    "RegretCurves",
    "SimpleAdaptiveMatching",
    "UnimodalProblem",
    "play_matching",
    "play_unimodal",
]
