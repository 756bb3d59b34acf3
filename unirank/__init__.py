"""Learn the best order of items on a page, from clicks alone."""

from importlib.metadata import version
from typing import TYPE_CHECKING

from unirank import (
    _startup,  # noqa: F401  first, because the others take a while
    ancestors,
    click_models,
    datasets,
    kernels,
    lab,
    live,
    logs,
    plain,
    plots,
    policies,
    simulation,
    theory,
)
from unirank.ancestors import (
    GraphOSUB,
    MatchingProblem,
    SimpleAdaptiveMatching,
    UnimodalProblem,
    play_matching,
    play_unimodal,
)
from unirank.click_models import CCM, CM, DBN, DCM, PBM, UBM, ClickModel
from unirank.errors import ArgumentError, StateFileError, UnirankError
from unirank.lab import list_experiments, sweep
from unirank.live import Page, Pages, Split, SplitReport
from unirank.policies import *  # every policy, and what they are made of
from unirank.policies.base.loading import load
from unirank.simulation import Trace, simulate

__version__ = version("unirank")


def list_policies() -> list[str]:
    """Names of the policies that `simulate` and the command line know."""
    return policies.registry.names()


def list_click_models() -> list[str]:
    """Names of the click models."""
    return click_models.registry.names()


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
    "SimpleAdaptiveMatching",
    "Split",
    "SplitReport",
    "StateFileError",
    "Trace",
    "UnimodalProblem",
    "UnirankError",
    "ancestors",
    "click_models",
    "datasets",
    "kernels",
    "lab",
    "list_click_models",
    "list_experiments",
    "list_policies",
    "live",
    "load",
    "logs",
    "plain",
    "play_matching",
    "play_unimodal",
    "plots",
    "policies",
    "simulate",
    "simulation",
    "sweep",
    "theory",
]
if not TYPE_CHECKING:
    __all__ += policies.__all__
