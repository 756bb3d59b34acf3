"""Experiments are data: a question, users, policies and a scale, in one TOML file."""

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from unirank.click_models import ClickModel
from unirank.errors import ArgumentError, UnknownNameError
from unirank.simulation.games import resolved

EXPERIMENTS = files("unirank.lab") / "experiments"


class Entry(msgspec.Struct, frozen=True):
    """A policy to run, by name, with its options."""

    policy: str
    options: dict[str, Any] = {}


class Experiment(msgspec.Struct, frozen=True, kw_only=True):
    """One question: who meets which users, how often, for how long.

    A change that can change its numbers is a new `version`.
    """

    name: str
    question: str
    version: int
    click_model: dict[str, Any]
    policies: list[Entry]
    n_positions: int
    n_rounds: int
    n_games: int = 20
    seed: int = 0
    source: str = ""

    @property
    def users(self) -> ClickModel:
        return ClickModel.from_dict(self.click_model)


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
    for entry in content.get("policies", []):
        if isinstance(entry, dict):
            _check_keys(f"key of a policy of experiment {name!r}:", entry, Entry)
    try:
        experiment = msgspec.convert({**content, "name": name}, Experiment)
    except msgspec.ValidationError as error:
        raise ArgumentError(f"experiment {name!r}: {error}") from None
    experiment.users.check_n_positions(experiment.n_positions)
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
