"""Simulated games of policies against click models."""

from unirank.lab.simulation.games import simulate
from unirank.lab.simulation.leaders import LeaderHistory, follow_leader
from unirank.lab.simulation.trace import Trace

__all__ = ["LeaderHistory", "Trace", "follow_leader", "simulate"]
