"""Which curves share a panel: those of one experiment at one scale, in the order of the paper."""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from unirank.errors import ArgumentError, UnknownNameError
from unirank.lab import load_experiment
from unirank.lab.pairing import paired
from unirank.plots.difference import Gap
from unirank.plots.panels import place_of, title_of
from unirank.simulation import Trace


@dataclass(frozen=True)
class Panel:
    """The curves of one experiment at one scale, a trace per label and problem."""

    experiment: str
    n_rounds: int
    seed: int
    title: str
    traces: list[Trace]

    def curve(self, label: str) -> dict[str, Trace]:
        """The traces of a curve by problem."""
        return {trace.problem: trace for trace in self.traces if trace.label == label}

    def gaps(self, against: str) -> list[Gap]:
        """Every other curve minus this one; none if it is not here."""
        baseline = self.curve(against)
        others = {trace.label: trace.policy for trace in self.traces if trace.label != against}
        if not baseline:
            return []
        return [
            Gap(policy, label, *paired(self.curve(label), baseline))
            for label, policy in others.items()
        ]


def panels_in(traces: Sequence[Trace], chosen: Sequence[str] = ()) -> list[Panel]:
    """Panels in order, all or those of the experiments chosen.

    Experiments that were run at several scales or seeds have a panel for each.
    """
    groups: dict[tuple[str, int, int], list[Trace]] = {}
    for trace in traces:
        groups.setdefault((trace.experiment, trace.n_rounds, trace.seed), []).append(trace)
    scales = Counter(experiment for experiment, _, _ in groups)
    for name in chosen:
        if name not in scales:
            raise UnknownNameError("panel", name, scales)
    panels = []
    for key in sorted(groups, key=lambda key: (place_of(key[0]), *key[1:])):
        experiment, n_rounds, seed = key
        title = title_of(experiment)
        if scales[experiment] > 1:
            title = f"{title}\n{n_rounds:,} rounds, seed {seed}"
        if not chosen or experiment in chosen:
            panels.append(Panel(*key, title, in_order(experiment, groups[key])))
    return panels


def in_order(experiment: str, traces: Iterable[Trace]) -> list[Trace]:
    """Curves in the order in which the experiment lists them, any others after these."""
    labels: list[str] = []
    with suppress(ArgumentError):  # an experiment of one's own, or of another version
        labels = [entry.label for entry in load_experiment(experiment).policies]
    return sorted(traces, key=lambda t: labels.index(t.label) if t.label in labels else len(labels))


def check_label(panels: Iterable[Panel], label: str) -> None:
    """Refuse a curve that no panel has."""
    known = {trace.label for panel in panels for trace in panel.traces}
    if label not in known:
        raise UnknownNameError("curve", label, known)
