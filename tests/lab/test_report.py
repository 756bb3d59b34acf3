"""The report says what was found, what was not run, and where the numbers come from."""

from dataclasses import replace

import pytest

from tests.lab.paper_curves import LOGARITHM, panels
from unirank.lab import claims
from unirank.lab.claims import CLAIMS, PaperPanel
from unirank.lab.matchrank_claims import OWN_CLAIMS
from unirank.lab.report import own_section, report_text, times_section, verdict_line
from unirank.lab.speed import RoundTime
from unirank.lab.timing import Timing

SPEEDS = [
    RoundTime("unirank", "yandex-cm", 200.0, 50.0),
    RoundTime("toprank", "yandex-cm", 150.0, 50.0),
    RoundTime("pb-mhb", "yandex-cm", 2500.0, 50.0),
]


def report(**changes: object) -> str:
    settings = {
        "command": "unirank reproduce --full",
        "scale": "all of it",
        "machine": "a machine",
        "left_out": ["kdd-pbm: not here"],
        "figures": {"Regret": "regret.png"},
        "timing": Timing("yandex-cm", SPEEDS, {"unirank": 1_000_000.0}),
        "effort": "It took an hour.",
        **changes,
    }
    return report_text(panels({}), **settings)  # type: ignore[arg-type]


def test_it_holds_command_figure_verdicts_and_what_is_missing() -> None:
    text = report()
    for part in (
        "`unirank reproduce --full`",
        "- kdd-pbm: not here",
        "![Regret](regret.png)",
        "| simul-pbm | holds | UniRank",
        "### yandex-cm",
        "## Our own policy",
        "### MatchRank on yandex-cm",
        "## Time\n\nIt took an hour.\n\n| policy |",
    ):
        assert part in text
    for claim in CLAIMS:
        assert claim.sentence in text
    assert "an indication at most" not in text


def test_a_short_run_is_called_one() -> None:
    short = {
        name: PaperPanel(
            name,
            {
                label: {q: replace(trace, n_rounds=10**5) for q, trace in curve.items()}
                for label, curve in panel.curves.items()
            },
        )
        for name, panel in panels({}).items()
    }
    text = report_text(
        short, command="", scale="", machine="", left_out=[], figures={}, timing=None, effort=""
    )
    assert "an indication at most" in text
    assert "Nothing." in text
    assert "Not measured." in text


def test_verdicts_are_given_for_each_way_of_clicking() -> None:
    made = panels({})
    worse = panels({claims.PB_MHB: (400.0, LOGARITHM)})
    made["simul-pbm-common"] = PaperPanel("simul-pbm-common", worse["simul-pbm"].curves)
    claim = CLAIMS[1]
    line = verdict_line(claim, list(claim.findings(made)))
    assert line.startswith(
        "**holds** (independent clicks); **does not hold** on 1 of 4 panels (common clicks). Test:"
    )


def test_our_policy_stands_beside_five_others_in_two_rounds() -> None:
    section = own_section({"simul-cm": panels({})["simul-cm"]})
    verdicts, table = section.split("### MatchRank on simul-cm")
    assert verdicts.count("**holds** on 1 of 6 panels (independent clicks)") == len(OWN_CLAIMS)
    rows = [tuple(line.split(" | ")[:2]) for line in table.strip().splitlines()[2:]]
    labels = ("MatchRank", "PB-MHB", "CascadeKL-UCB", "GRAB", "UniRank", "TopRank, right horizon")
    assert rows == [(f"| {name}", when) for name in labels for when in ("100,000", "10,000,000")]
    assert "| median | 95% | worst |" in table


def test_a_panel_without_our_policy_has_no_table_of_it() -> None:
    curves = dict(panels({})["simul-cm"].curves)
    del curves["MatchRank"]
    section = own_section({"simul-cm": PaperPanel("simul-cm", curves)})
    assert "### MatchRank on" not in section
    assert section.count("**not tested**") == len(OWN_CLAIMS)


@pytest.mark.parametrize(("slow", "verdict"), [(2500.0, "holds"), (1500.0, "does not hold")])
def test_the_times_are_set_beside_the_papers(slow: float, verdict: str) -> None:
    speeds = [*SPEEDS[:2], replace(SPEEDS[2], nanoseconds=slow)]
    text = times_section(Timing("yandex-cm", speeds, {"unirank": 1_000_000.0}))
    assert "| unirank | 200 | 4.0 | 1,000 | 1.0 |" in text
    assert "| toprank | 150 | 3.0 |  | 0.7 |" in text
    assert f"any other algorithm”: **{verdict}**, {slow / 200:.1f} times" in text
