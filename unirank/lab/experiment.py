"""Experiments as data: a question, users, policies and a scale, in one TOML file."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from unirank import arguments
from unirank.errors import ArgumentError, UnknownNameError
from unirank.files import read_whole
from unirank.lab.datasets import FittedFile, list_datasets, load_problems, read_fitted
from unirank.lab.datasets.problems import is_fitted_file
from unirank.lab.simulation.checkpoints import SPACINGS
from unirank.lab.simulation.games import check_scale
from unirank.policies.base.specs import resolved
from unirank.registry import imported
from unirank.users import PBM, ClickModel, Segments, registry
from unirank.users.objective import CLICKS, OBJECTIVES

EXPERIMENTS = files("unirank.lab") / "experiments"
MOST_BYTES = 2**26  # of an experiment: TOML is read by a parser in Python


class PolicyEntry(msgspec.Struct, frozen=True):
    """A policy to run: its name, its options, and its label in legends."""

    policy: str
    options: dict[str, Any] = {}
    label: str = ""


class ProblemSource(msgspec.Struct, frozen=True):
    """Where problems come from: one click model, or some queries of a data set.

    Sources of the same `part` share a panel; by default each has its own. `dataset` can be a fitted
    file of your own; `model` says which of its click models is taken.
    """

    name: str = ""
    part: str = ""
    click_model: dict[str, Any] | None = None
    dataset: str = ""
    model: str = ""
    n_queries: int | None = None
    queries: list[str] | None = None
    n_items: int | None = None

    @property
    def title(self) -> str:
        """Name of the source among several."""
        if not is_fitted_file(self.dataset):
            return self.name or self.dataset
        return f"{Path(self.dataset).stem} {self.model}".strip()


class Experiment(msgspec.Struct, frozen=True, kw_only=True, dict=True):  # for cached_property
    """One question: which policies meet which users, in how many games and rounds.

    The users are those of one click model, such as "segments" with a list of users of its own, or
    of a list of problems. `coupling` replaces the coupling of every PBM; regret is measured in the
    `objective`. In TOML, `like = "name"` copies the keys that are not given from another
    experiment. An experiment whose numbers can change needs a new `version`: results of another
    version are refused.
    """

    name: str
    question: str
    version: int
    policies: list[PolicyEntry]
    click_model: dict[str, Any] | None = None
    problems: list[ProblemSource] = []
    coupling: str = ""
    n_positions: int
    n_rounds: int
    n_games: int = 20
    seed: int = 0
    checkpoints: str = "log"
    measure: str = "regret"
    objective: str = CLICKS
    source: str = ""

    @property
    def users(self) -> ClickModel:
        """The users of an experiment with a single problem."""
        (only,) = self.users_by_problem().values()
        return only

    def users_by_problem(self) -> dict[str, ClickModel]:
        """Return the click models by problem: a query, or the experiment's own name."""
        return {problem: users for _, problem, users in self.problems_found}

    def parts(self) -> dict[str, str]:
        """Return the panel of each problem: its data set or itself; "" if all share one."""
        return {problem: part for part, problem, _ in self.problems_found}

    @cached_property
    def problems_found(self) -> list[tuple[str, str, ClickModel]]:
        """Part, name and users of every problem; data sets and fitted files are read once."""
        found = list(self._read_problems())
        for problem, n in Counter(problem for _, problem, _ in found).items():
            if n > 1:
                raise ArgumentError(f"experiment {self.name!r}: got problem {problem!r} twice")
        return found

    def _read_problems(self) -> Iterator[tuple[str, str, ClickModel]]:
        if self.click_model is not None:
            yield "", self.name, self._as_coupled(self.click_model)
        several = len(self.problems) > 1
        files: dict[str, FittedFile] = {}
        for source in self.problems:
            part = (source.part or source.title) if several else ""
            if source.click_model is not None:
                yield part, source.name, self._as_coupled(source.click_model)
                continue
            name = source.dataset
            if is_fitted_file(name) and name not in files:
                files[name] = read_fitted(name)
            loaded = load_problems(
                files.get(name, name),
                click_model=source.model or None,
                n_queries=source.n_queries,
                queries=source.queries,
                n_items=source.n_items,
                n_positions=self.n_positions,
            )
            for query, users in loaded.items():
                problem = f"{source.title} {query}" if several else query
                yield part, problem, self._as_coupled(users.to_dict())

    def _as_coupled(self, fields: dict[str, Any]) -> ClickModel:
        return ClickModel.from_dict(coupled(fields, self.coupling) if self.coupling else fields)


def coupled(click_model: dict[str, Any], coupling: str) -> dict[str, Any]:
    """Return a click model, as data, in which every PBM has this coupling."""
    if click_model.get("click_model") == Segments.name:
        users = [coupled(each, coupling) for each in click_model["users"]]
        return {**click_model, "users": users}
    if click_model.get("click_model") == PBM.name:
        return {**click_model, "coupling": coupling}
    return click_model


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
            text = read_whole(name, MOST_BYTES).decode()
            return parsed(Path(name).stem, text, Path(name).parent)
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a text file"
            raise ArgumentError(f"cannot read the experiment {name!r}: {reason}") from None
    if name not in list_experiments():
        raise UnknownNameError("experiment", name, list_experiments())
    return parsed(name, (EXPERIMENTS / f"{name}.toml").read_text())


def parsed(name: str, text: str, folder: Path | None = None) -> Experiment:
    """Make an experiment from its TOML text; errors name the key and the rule.

    The fitted files that it names are looked for in `folder`, then in the working folder.
    """
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also integers of thousands of digits
        raise ArgumentError(f"experiment {name!r} is not valid TOML: {error}") from None
    if "like" in content:
        content = alike(name, content)
    _check_keys(f"key of experiment {name!r}:", content, Experiment)
    for key, kind, struct in (
        ("policies", "policy", PolicyEntry),
        ("problems", "problem", ProblemSource),
    ):
        entries = content.get(key, [])
        if not isinstance(entries, list):
            raise ArgumentError(f"experiment {name!r}: {key} must be a list, got {entries!r}")
        for entry in entries:
            if isinstance(entry, dict):
                _check_keys(f"key of a {kind} of experiment {name!r}:", entry, struct)
    try:
        experiment = msgspec.convert({**content, "name": name}, Experiment)
    except msgspec.ValidationError as error:
        raise ArgumentError(f"experiment {name!r}: {error}") from None
    check_scale(**{key: getattr(experiment, key) for key in ("n_rounds", "n_games", "seed")})
    check_problems(experiment)
    if folder is not None:
        problems = [found_in(folder, source) for source in experiment.problems]
        experiment = msgspec.structs.replace(experiment, problems=problems)
    arguments.choice("checkpoints", experiment.checkpoints, list(SPACINGS))
    arguments.choice("measure", experiment.measure, ("regret", "time"))
    arguments.choice("objective", experiment.objective, OBJECTIVES)
    if not experiment.policies:
        raise ArgumentError(f"experiment {name!r}: policies must not be empty")
    for entry in experiment.policies:
        resolved((entry.policy, entry.options))
    return experiment


def found_in(folder: Path, source: ProblemSource) -> ProblemSource:
    """Return the source with the full path of its fitted file, if that is in the folder."""
    path = folder / source.dataset
    if is_fitted_file(source.dataset) and path.is_file():
        return msgspec.structs.replace(source, dataset=str(path))
    return source


def alike(name: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return the content with the missing keys copied from the experiment that `like` names."""
    model = content["like"]
    if model not in list_experiments() or model == name:
        known = [other for other in list_experiments() if other != name]
        raise UnknownNameError(f"experiment that {name!r} is like:", model, known)
    base = tomllib.loads((EXPERIMENTS / f"{model}.toml").read_text())
    if "like" in base:
        base = alike(model, base)
    own = {key: value for key, value in content.items() if key != "like"}
    if "problems" in own or "click_model" in own:  # it has its own users
        base = {key: base[key] for key in base if key not in ("problems", "click_model")}
    return {**base, **own}


def check_problems(experiment: Experiment) -> None:
    """Raise ArgumentError for invalid problems; data sets are not read, they may be missing."""
    name = experiment.name
    if (experiment.click_model is None) == (not experiment.problems):
        raise ArgumentError(f"experiment {name!r}: needs either click_model or problems")
    if experiment.coupling:
        arguments.choice("coupling", experiment.coupling, ("independent", "common"))
    models = [experiment.click_model, *(source.click_model for source in experiment.problems)]
    for model in models:
        if model is not None:
            import_class(model)
            ClickModel.from_dict(model).check_n_positions(experiment.n_positions)
    for source in experiment.problems:
        if (source.click_model is None) == (not source.dataset):
            raise ArgumentError(f"experiment {name!r}: a problem needs click_model or dataset")
        if source.model:
            if not is_fitted_file(source.dataset):
                raise ArgumentError(
                    f"experiment {name!r}: model must go with a dataset that is a fitted file "
                    f"(.json), got {source.model!r} with {source.dataset!r}"
                )
            arguments.choice(f"model of experiment {name!r}:", source.model, registry.names())
        if is_fitted_file(source.dataset):
            continue
        if source.dataset:
            arguments.choice("dataset", source.dataset, list_datasets())
        elif not source.name:
            raise ArgumentError(f"experiment {name!r}: a problem with a click_model needs a name")


def import_class(click_model: dict[str, Any]) -> None:
    """Import the modules of click models that an experiment spells module:Class."""
    name = click_model.get("click_model")
    if name == Segments.name and isinstance(click_model.get("users"), list):
        for each in click_model["users"]:
            if isinstance(each, dict):
                import_class(each)
    if isinstance(name, str) and ":" in name:
        imported(name)


def _check_keys(kind: str, content: dict[str, Any], struct: type[msgspec.Struct]) -> None:
    known = list(struct.__struct_fields__)
    if struct is Experiment:  # its name is that of the file
        known.remove("name")
    for key in content:
        if key not in known:
            raise UnknownNameError(kind, key, known)
