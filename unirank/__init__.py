"""Learn the best order of items on a page, from clicks alone."""

from importlib.metadata import version
from typing import Any

from unirank import (
    _startup,  # noqa: F401  first, because the others take a while
    lab,
    logs,
    page,
    policies,
    users,
)
from unirank._old_names import by_old_name
from unirank.errors import ArgumentError, StateFileError, UnirankError
from unirank.lab import list_experiments, plots
from unirank.lab.simulation import Trace, simulate
from unirank.page import Page, Pages, Split
from unirank.page.loading import load
from unirank.policies import (
    MatchRank,
    PlainPolicy,
    Policy,
    Ranking,
    TopRank,
    UniRank,
    kernels,
    papers,
)
from unirank.users import CCM, CM, DBN, DCM, PBM, UBM, ClickModel, Segments

__version__ = version("unirank")


def list_policies() -> list[str]:
    """Names of the policies that `simulate` and the command line know."""
    return policies.registry.names()


def list_click_models() -> list[str]:
    """Names of the click models."""
    return users.registry.names()


def __getattr__(name: str) -> Any:
    return by_old_name(name)


__all__ = [
    "CCM",
    "CM",
    "DBN",
    "DCM",
    "PBM",
    "UBM",
    "ArgumentError",
    "ClickModel",
    "MatchRank",
    "Page",
    "Pages",
    "PlainPolicy",
    "Policy",
    "Ranking",
    "Segments",
    "Split",
    "StateFileError",
    "TopRank",
    "Trace",
    "UniRank",
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
    "plots",
    "policies",
    "simulate",
    "users",
]
