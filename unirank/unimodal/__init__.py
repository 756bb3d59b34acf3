"""Unimodal bandits: arms on a graph on which every arm but the best has a better neighbour."""

from unirank.unimodal.games import play_unimodal
from unirank.unimodal.osub import GraphOSUB
from unirank.unimodal.problem import UnimodalProblem

__all__ = ["GraphOSUB", "UnimodalProblem", "play_unimodal"]
