"""Learn the best order of items on a page, from clicks alone."""

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from unirank import (
    _startup,  # noqa: F401  first, because the others take a while
    lab,
    logs,
    page,
    policies,
    users,
)
from unirank._old_names import module_for_old_name
from unirank.errors import ArgumentError, StateFileError, UnirankError
from unirank.lab import list_experiments, plots, sweep
from unirank.lab.ancestors import (
    GraphOSUB,
    MatchingProblem,
    SimpleAdaptiveMatching,
    UnimodalProblem,
    play_matching,
    play_unimodal,
)
from unirank.lab.simulation import Trace, simulate
from unirank.page import Page, Pages, Split, SplitReport
from unirank.policies import *  # every policy, and what they are made of
from unirank.policies import kernels, papers
from unirank.policies.base.loading import load
from unirank.users import CCM, CM, DBN, DCM, PBM, UBM, ClickModel, Segments

__version__ = version("unirank")


def list_policies() -> list[str]:
    """Names of the policies that `simulate` and the command line know."""
    return policies.registry.names()


def list_click_models() -> list[str]:
    """Names of the click models."""
    return users.registry.names()


def __getattr__(name: str) -> Any:
    return module_for_old_name(__name__, name)


__all__ = [
    "CCM",
    "CM",
    "DBN",
    "DCM",
    "PBM",
    "UBM",
    "ArgumentError",
    "ClickModel",
    "GraphOSUB",
    "MatchingProblem",
    "Page",
    "Pages",
    "Segments",
    "SimpleAdaptiveMatching",
    "Split",
    "SplitReport",
    "StateFileError",
    "Trace",
    "UnimodalProblem",
    "UnirankError",
    "kernels",
    "lab",
    "list_click_models",
    "list_experiments",
    "list_policies",
    "load",
    "logs",
    "page",
    "papers",
    "play_matching",
    "play_unimodal",
    "plots",
    "policies",
    "simulate",
    "sweep",
    "users",
]
if not TYPE_CHECKING:
    __all__ += policies.__all__
