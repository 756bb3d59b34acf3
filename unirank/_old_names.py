"""Names that moved in version 0.2: the old ones work for one version, with a warning.

The old name of a module becomes another name of the same module, so a class is the same by either
path. Names that `unirank` itself exported are looked up in the room that has them now.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any
from warnings import warn

ROOMS = {
    "unirank.ancestors": "unirank.lab",
    "unirank.checks": "unirank.lab.checks",
    "unirank.click_models": "unirank.users",
    "unirank.datasets": "unirank.lab.datasets",
    "unirank.kernels": "unirank.policies.kernels",
    "unirank.live": "unirank.page",
    "unirank.plain": "unirank.policies.papers",
    "unirank.plots": "unirank.lab.plots",
    "unirank.simulation": "unirank.lab.simulation",
    "unirank.theory": "unirank.lab.theory",
}
NAMES = {  # of `unirank`, by the room that exports each now
    "BCMPTS": "unirank.policies",
    "BatchRank": "unirank.policies",
    "BubbleRank": "unirank.policies",
    "CascadeKLUCB": "unirank.policies",
    "CascadeUCB1": "unirank.policies",
    "DCMKLUCB": "unirank.policies",
    "EpsilonGreedy": "unirank.policies",
    "GRAB": "unirank.policies",
    "GraphOSUB": "unirank.lab",
    "KLCombUCB1": "unirank.policies",
    "MPTS": "unirank.policies",
    "MatchingProblem": "unirank.lab",
    "OSUB": "unirank.policies",
    "Oracle": "unirank.policies",
    "PBMHB": "unirank.policies",
    "PBMPIE": "unirank.policies",
    "PBMTS": "unirank.policies",
    "PBMUCB": "unirank.policies",
    "RBA": "unirank.policies",
    "RandomOrder": "unirank.policies",
    "SAM": "unirank.policies",
    "SGRAB": "unirank.policies",
    "SimpleAdaptiveMatching": "unirank.lab",
    "SplitReport": "unirank.page",
    "UnimodalProblem": "unirank.lab",
    "play_matching": "unirank.lab",
    "play_unimodal": "unirank.lab",
    "sweep": "unirank.lab",
}
WITHOUT_WARNING = ("unirank.kernels", "unirank.plots")  # these stay names of `unirank` itself


def new_name(old: str) -> str | None:
    """Return what a module is called now; None if its name is not an old one."""
    room = ".".join(old.split(".")[:2])
    return ROOMS[room] + old.removeprefix(room) if room in ROOMS else None


def by_old_name(name: str) -> Any:
    """Return what was the attribute `name` of `unirank`, for its `__getattr__`."""
    if name in NAMES:
        warn(f"unirank.{name} is now {NAMES[name]}.{name}", FutureWarning, stacklevel=3)
        return getattr(import_module(NAMES[name]), name)
    if new_name(f"unirank.{name}") is None:
        raise AttributeError(f"module 'unirank' has no attribute {name!r}")
    return import_module(f"unirank.{name}")


class _Alias(Loader):
    """Loads a module under its old name: the very module that has the new one."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        new = new_name(spec.name)
        assert new is not None
        if spec.name not in WITHOUT_WARNING:
            warn(f"{spec.name} is now {new}", FutureWarning, stacklevel=2)
        module = import_module(new)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # the import system has put in that of the old name


class _Finder(MetaPathFinder):
    """Finds modules by their old names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return None if new_name(fullname) is None else ModuleSpec(fullname, _Alias())


sys.meta_path.insert(0, _Finder())  # before the one that would load the files a second time
