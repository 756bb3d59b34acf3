"""Each claim holds on curves made to fulfil it, and not on curves made to break it."""

import pytest

from tests.lab.paper_curves import LAST, LOGARITHM, ROUNDS, Change, panels
from unirank.lab import claims
from unirank.lab.claims import CLAIMS, PaperPanel


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.sentence[:40])
def test_every_claim_holds_on_curves_like_the_papers(claim: claims.Claim) -> None:
    findings = list(claim.findings(panels({})))
    assert [finding.panel for finding in findings] == list(claim.panels)
    assert {finding.verdict for finding in findings} == {"holds"}
    assert all(finding.numbers for finding in findings)


BROKEN: list[tuple[int, dict[str, Change]]] = [
    (0, {claims.CASCADE: (700.0, LOGARITHM)}),
    (1, {claims.PB_MHB: (400.0, LOGARITHM)}),
    (2, {claims.GRAB: (200.0, LOGARITHM)}),
    (3, {claims.UNIRANK: (300.0, ROUNDS / LAST)}),
    (4, {claims.UNIRANK: (700.0, LOGARITHM)}),
    (5, {claims.UNIRANK: (620.0, LOGARITHM)}),
    (6, {claims.TOPRANK: (600.0, LOGARITHM)}),
    (7, {claims.DOUBLING: (250.0, LOGARITHM)}),
    (8, {claims.OVERESTIMATED: (500.0, LOGARITHM)}),
]


@pytest.mark.parametrize(("number", "changes"), BROKEN)
def test_a_claim_does_not_hold_where_a_curve_breaks_it(
    number: int, changes: dict[str, Change]
) -> None:
    found = {finding.verdict for finding in CLAIMS[number].findings(panels(changes))}
    assert found == {"does not hold"}


def test_every_claim_can_fail() -> None:
    assert [number for number, _ in BROKEN] == list(range(len(CLAIMS)))


def test_common_clicks_are_examined_beside_the_others() -> None:
    made = panels({})
    made["simul-pbm-common"] = PaperPanel("simul-pbm-common", made["simul-pbm"].curves)
    found = [finding.panel for finding in CLAIMS[1].findings(made)]
    assert found == [*claims.PBM_PANELS, "simul-pbm-common"]


def test_a_panel_without_the_curves_is_left_out() -> None:
    made = panels({})
    only = PaperPanel("simul-cm", {claims.UNIRANK: made["simul-cm"].curves[claims.UNIRANK]})
    assert list(CLAIMS[0].findings({"simul-cm": only})) == []
