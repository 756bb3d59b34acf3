"""Simulated games of policies against click models."""

from unirank.simulation.games import simulate
from unirank.simulation.leaders import LeaderHistory, follow_leader
from unirank.simulation.trace import Trace

__all__ = ["LeaderHistory", "Trace", "follow_leader", "simulate"]
