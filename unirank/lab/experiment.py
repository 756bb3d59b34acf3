"""Experiments are data: a question, users, policies and a scale, in one TOML file."""

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from unirank import arguments
from unirank.click_models import ClickModel
from unirank.datasets import list_data_sets, load_problems
from unirank.errors import ArgumentError, UnknownNameError
from unirank.simulation.games import resolved

EXPERIMENTS = files("unirank.lab") / "experiments"


class Entry(msgspec.Struct, frozen=True):
    """A policy to run, by name, with its options; `label` is what legends call it."""

    policy: str
    options: dict[str, Any] = {}
    label: str = ""


class Source(msgspec.Struct, frozen=True):
    """Problems of a published data set: the first queries, or some, with their best items."""

    data_set: str
    n_queries: int | None = None
    queries: list[str] | None = None
    n_items: int | None = None
    coupling: str = "independent"


class Experiment(msgspec.Struct, frozen=True, kw_only=True):
    """One question: who meets which users, how often, for how long.

    The users are those of one click model, or of the queries of data sets. A change that can
    change its numbers is a new `version`.
    """

    name: str
    question: str
    version: int
    policies: list[Entry]
    click_model: dict[str, Any] | None = None
    problems: list[Source] = []
    n_positions: int
    n_rounds: int
    n_games: int = 20
    seed: int = 0
    source: str = ""

    @property
    def users(self) -> ClickModel:
        """The users, where there is one problem only."""
        (only,) = self.users_by_problem().values()
        return only

    def users_by_problem(self) -> dict[str, ClickModel]:
        """Click models by the name of their problem: a query, or the experiment's own."""
        if self.click_model is not None:
            return {self.name: ClickModel.from_dict(self.click_model)}
        found: dict[str, ClickModel] = {}
        for source in self.problems:
            loaded = load_problems(
                source.data_set,
                n_queries=source.n_queries,
                queries=source.queries,
                n_items=source.n_items,
                n_positions=self.n_positions,
                coupling=source.coupling,
            )
            for query, users in loaded.items():
                many = len(self.problems) > 1
                found[f"{source.data_set} {query}" if many else query] = users
        return found


def list_experiments() -> list[str]:
    """Names of the experiments that come with the library."""
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in EXPERIMENTS.iterdir()
        if entry.name.endswith(".toml")
    )


def load_experiment(name: str) -> Experiment:
    """Read an experiment that comes with the library, or the TOML file of your own."""
    if name.endswith(".toml"):
        try:
            return parsed(Path(name).stem, Path(name).read_text())
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a text file"
            raise ArgumentError(f"cannot read the experiment {name!r}: {reason}") from None
    if name not in list_experiments():
        raise UnknownNameError("experiment", name, list_experiments())
    return parsed(name, (EXPERIMENTS / f"{name}.toml").read_text())


def parsed(name: str, text: str) -> Experiment:
    """Make an experiment of its TOML text, or say which key breaks which rule."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ArgumentError(f"experiment {name!r} is not valid TOML: {error}") from None
    _check_keys(f"key of experiment {name!r}:", content, Experiment)
    for key, kind, struct in (("policies", "policy", Entry), ("problems", "problem", Source)):
        for entry in content.get(key, []):
            if isinstance(entry, dict):
                _check_keys(f"key of a {kind} of experiment {name!r}:", entry, struct)
    try:
        experiment = msgspec.convert({**content, "name": name}, Experiment)
    except msgspec.ValidationError as error:
        raise ArgumentError(f"experiment {name!r}: {error}") from None
    if (experiment.click_model is None) == (not experiment.problems):
        raise ArgumentError(f"experiment {name!r}: needs either click_model or problems")
    if experiment.click_model is not None:
        experiment.users.check_n_positions(experiment.n_positions)
    for source in experiment.problems:
        arguments.choice("data set", source.data_set, list_data_sets())
    if not experiment.policies:
        raise ArgumentError(f"experiment {name!r}: policies must not be empty")
    for entry in experiment.policies:
        resolved((entry.policy, entry.options))
    return experiment


def _check_keys(kind: str, content: dict[str, Any], struct: type[msgspec.Struct]) -> None:
    known = [field for field in struct.__struct_fields__ if field != "name"]
    for key in content:
        if key not in known:
            raise UnknownNameError(kind, key, known)
