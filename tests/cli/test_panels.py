"""Which curves share a panel, and in what order."""

from dataclasses import replace

import numpy as np
import pytest

from tests.lab.plots.curves import CURVES, PAPER, curve, curves
from unirank import ArgumentError, Trace
from unirank.cli import panels
from unirank.cli.panels import label_of_curve, measured_in, panels_in
from unirank.cli.plot import regrets
from unirank.lab.experiment import Experiment, PolicyEntry


def everything() -> list[Trace]:
    return [trace for name in ("ties", *sorted(PAPER)) for trace in curves(name)]


def test_panels_are_in_the_order_of_the_paper() -> None:
    found = panels_in(everything())
    assert [panel.experiment for panel in found] == [*PAPER, "ties"]
    assert [panel.title for panel in found][:2] == ["KDD PBM", "Yandex PBM"]


def test_chosen_panels_only() -> None:
    found = panels_in(everything(), ["ties", "simul-cm"])
    assert [panel.experiment for panel in found] == ["simul-cm", "ties"]
    with pytest.raises(ArgumentError, match=r"unknown panel 'simul-bm'; did you mean 'simul-pbm'"):
        panels_in(everything(), ["simul-bm"])


def test_scales_of_one_experiment_are_told_apart() -> None:
    titles = [panel.title for panel in panels_in([curve(seed=1), curve(), curve(experiment="x")])]
    assert titles == [
        "Simul PBM\n10,000 rounds, seed 0", "Simul PBM\n10,000 rounds, seed 1", "X",
    ]  # fmt: skip


def test_panels_of_one_title_are_told_apart_by_their_experiment() -> None:
    traces = [replace(curve(experiment=name), part="pbm") for name in ("one", "two")]
    traces += [curve(experiment=name) for name in ("a-b", "a b")]
    titles = [panel.title for panel in panels_in(traces)]
    assert titles == ["a b", "a-b", "one, pbm", "two, pbm"]
    assert len(regrets(panels_in(traces), "linear").axes) == 4


def test_versions_of_one_experiment_are_told_apart() -> None:
    traces = [replace(curve(experiment="e"), experiment_version=n) for n in (1, 2)]
    titles = [panel.title for panel in panels_in(traces)]
    assert titles == [f"E\n10,000 rounds, seed 0, version {n}" for n in (1, 2)]


def test_two_runs_of_one_curve_are_not_added_up() -> None:
    other = replace(curve(), n_positions=2)
    with pytest.raises(ArgumentError, match=r"two different runs of 'UniRank' on problem 'one' of"):
        panels_in([curve(), other])


def test_curves_are_in_the_order_of_their_experiment(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [PolicyEntry(policy, {}, label) for policy, label, _ in CURVES]
    experiment = Experiment(
        name="e", question="", version=1, policies=entries, n_positions=1, n_rounds=1
    )
    monkeypatch.setattr(panels, "load_experiment", lambda _: experiment)
    other = curve("random", "A")
    (panel,) = panels_in([other, *curves()[::-1]])
    assert [trace.label for trace in panel.traces] == [*(label for _, label, _ in CURVES), "A"]


def test_curves_of_an_unknown_experiment_stay_as_they_are() -> None:
    found = curves("no-such-experiment")[::-1]
    (panel,) = panels_in(found)
    assert panel.traces == found


def test_parts_have_panels_of_their_own_in_the_order_of_their_experiment() -> None:
    parts = ("gap 0", "my own", "gap 0.1")
    found = panels_in([replace(curve(experiment="ties"), part=part) for part in parts])
    assert [panel.part for panel in found] == ["gap 0.1", "gap 0", "my own"]
    assert [panel.title for panel in found] == ["Gap 0.1", "Gap 0", "My own"]


def test_differences_are_taken_problem_by_problem() -> None:
    (panel,) = panels_in([*curves(problem="one"), *curves(problem="two")])
    gaps = {gap.label: gap for gap in panel.gaps("TopRank, right horizon")}
    assert list(gaps) == [label for _, label, factor in CURVES if factor != 2]
    mine, baseline = curve(), curve(factor=2.0)
    assert np.allclose(gaps["UniRank"].mean, (mine.regret - baseline.regret).mean(axis=0))
    assert gaps["UniRank"].n_games == 8
    assert gaps["CascadeKL-UCB"].policy == "cascade-kl-ucb"
    assert panel.gaps("GRAB") == []


def test_a_curve_is_found_by_its_label_and_by_its_name_in_legends() -> None:
    panels = panels_in([curve("random", "random"), curve()])
    assert label_of_curve(panels, "random") == label_of_curve(panels, "Random") == "random"
    assert label_of_curve(panels, "unirank") == "UniRank"


def test_an_unknown_curve_is_refused_with_the_nearest() -> None:
    with pytest.raises(ArgumentError, match="did you mean 'TopRank, right horizon'"):
        label_of_curve(panels_in(everything()), "TopRank, rigth horizon")


def test_results_of_several_objectives_must_be_chosen_from() -> None:
    both = [curve(), replace(curve(), objective="any-click")]
    assert measured_in(both, "any-click") == both[1:]
    assert measured_in(both[1:], None) == both[1:]
    with pytest.raises(ArgumentError) as caught:
        measured_in(both, None)
    assert str(caught.value) == (
        "objective must be chosen where results have several, any-click, clicks: "
        "pass --objective any-click"
    )
    with pytest.raises(ArgumentError, match="that of results, clicks, got 'any-click'"):
        measured_in(both[:1], "any-click")
