"""Imported once by the parent of all processes of a fleet: each of them then starts at once."""

from unirank.server import run
from unirank.server.api import PageSettings
from unirank.server.learner import new_policy

for _policy in ("unirank", "matchrank"):
    new_policy(PageSettings(["a", "b", "c", "d"], 2, policy=_policy), 0).rank()

__all__ = ["run"]
