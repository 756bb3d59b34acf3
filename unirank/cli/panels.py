"""Panels of a figure: the curves of one part of an experiment, at one scale.

Experiments come in the order of the paper, parts and curves in that of the experiment.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from unirank.errors import ArgumentError, UnknownNameError
from unirank.lab import load_experiment
from unirank.lab.evidence import paired
from unirank.lab.plots.difference import Difference
from unirank.lab.plots.panels import distinct, place_of, title_of
from unirank.lab.simulation import Trace
from unirank.policies.base.facts import display_label


class Key(NamedTuple):
    """What the traces of one panel have in common."""

    experiment: str
    part: str
    n_rounds: int
    seed: int
    version: int


@dataclass(frozen=True)
class FigurePanel:
    """The curves of one part of an experiment at one scale, a trace per label and problem."""

    experiment: str
    part: str
    n_rounds: int
    seed: int
    title: str
    traces: list[Trace]

    @property
    def objective(self) -> str:
        return self.traces[0].objective

    @property
    def lost(self) -> str:
        return self.traces[0].lost

    def curve(self, label: str) -> dict[str, Trace]:
        """The traces of a curve by problem."""
        return {trace.problem: trace for trace in self.traces if trace.label == label}

    def gaps(self, against: str) -> list[Difference]:
        """Return every other curve minus this one; [] if it is not in this panel."""
        baseline = self.curve(against)
        others = {trace.label: trace.policy for trace in self.traces if trace.label != against}
        if not baseline:
            return []
        return [
            Difference(policy, label, *paired(self.curve(label), baseline))
            for label, policy in others.items()
        ]


def measured_in(traces: Sequence[Trace], objective: str | None) -> list[Trace]:
    """Return the traces of an objective, or all of them if they have the same one."""
    found = sorted({trace.objective for trace in traces})
    if objective is None and len(found) > 1:
        raise ArgumentError(
            f"objective must be chosen where results have several, {', '.join(found)}: "
            f"pass --objective {found[0]}"
        )
    if objective not in (None, *found):
        raise ArgumentError(
            f"objective must be that of results, {', '.join(found)}, got {objective!r}"
        )
    return [trace for trace in traces if objective in (None, trace.objective)]


def panels_in(traces: Sequence[Trace], chosen: Sequence[str] = ()) -> list[FigurePanel]:
    """Return the panels in order, all or those of the chosen experiments.

    The traces have one objective (`measured_in`). Experiments that were run at several scales,
    seeds or versions have a panel for each. No two panels have the same title.
    """
    groups: dict[Key, list[Trace]] = {}
    for trace in traces:
        key = Key(
            trace.experiment, trace.part, trace.n_rounds, trace.seed, trace.experiment_version
        )
        groups.setdefault(key, []).append(trace)
    experiments = {key.experiment: orders(key.experiment) for key in groups}
    for name in chosen:
        if name not in experiments:
            raise UnknownNameError("panel", name, experiments)

    def place(key: Key) -> Any:
        parts, _ = experiments[key.experiment]
        return place_of(key.experiment), place_in(parts, key.part), key.part, key[2:]

    panels = []
    kept = [key for key in sorted(groups, key=place) if not chosen or key.experiment in chosen]
    for key, title in zip(kept, titles_of(kept), strict=True):
        check_different(groups[key])
        labels = experiments[key.experiment][1]
        traces = sorted(groups[key], key=lambda trace: place_in(labels, trace.label))
        panels.append(FigurePanel(*key[:4], title, traces))
    return panels


def titles_of(keys: Sequence[Key]) -> list[str]:
    """Return a title for each key, with what tells it apart from the others and no more."""
    parts = list(dict.fromkeys(key[:2] for key in keys))
    short = [title_of(part or experiment) for experiment, part in parts]
    long = [f"{experiment}, {part}" if part else experiment for experiment, part in parts]
    names = dict(zip(parts, distinct(short, long), strict=True))
    titles = []
    for key in keys:
        others = [other for other in keys if other[:2] == key[:2]]
        scale = f"{key.n_rounds:,} rounds, seed {key.seed}"
        if len({other.version for other in others}) > 1:
            scale += f", version {key.version}"
        titles.append(f"{names[key[:2]]}\n{scale}" if len(others) > 1 else names[key[:2]])
    return titles


def check_different(traces: Iterable[Trace]) -> None:
    """Raise ArgumentError if two traces have the same policy and problem."""
    seen: set[tuple[str, str]] = set()
    for trace in traces:
        curve = (trace.label, trace.problem)
        if curve in seen:
            raise ArgumentError(
                f"results hold two different runs of {trace.label!r} on problem "
                f"{trace.problem!r} of experiment {trace.experiment!r}; plot their folders apart"
            )
        seen.add(curve)


def orders(experiment: str) -> tuple[list[str], list[str]]:
    """The parts and the labels of an experiment as it lists them."""
    with suppress(ArgumentError):  # an experiment of one's own, or of another version
        known = load_experiment(experiment)
        parts = [source.part or source.title for source in known.problems]
        return parts, [entry.label for entry in known.policies]
    return [], []


def place_in(names: Sequence[str], name: str) -> int:
    """Return the place of a name in a list; names that are not in it come last."""
    return names.index(name) if name in names else len(names)


def label_of_curve(panels: Iterable[FigurePanel], name: str) -> str:
    """Return the label of the curve of this label, name in legends, or policy; raise if none."""
    traces = [trace for panel in panels for trace in panel.traces]
    shown = {trace.label: display_label(trace.policy, trace.label) for trace in traces}
    if name in shown:
        return name
    of_policy = {trace.label for trace in traces if trace.policy == name}
    if len(of_policy) == 1:
        return of_policy.pop()
    for label, spelled in shown.items():
        if spelled == name:
            return label
    raise UnknownNameError("curve", name, shown.values())
