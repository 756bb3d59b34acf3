"""Matching bandits: pair items up, see which pairs succeed, learn whom to pair with whom."""

from unirank.matching.games import play_matching
from unirank.matching.problem import MatchingProblem
from unirank.matching.simple_adaptive_matching import SimpleAdaptiveMatching

__all__ = ["MatchingProblem", "SimpleAdaptiveMatching", "play_matching"]
