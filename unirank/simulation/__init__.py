"""Policies meet users, round after round."""

from unirank.simulation.games import simulate
from unirank.simulation.trace import Trace

__all__ = ["Trace", "simulate"]
