"""What we claim of MatchRank holds on curves made to fulfil it, and not on curves that break it."""

from dataclasses import replace

import pytest

from tests.lab.paper_curves import LOGARITHM, ROUNDS, Change, panels
from unirank.lab import claims
from unirank.lab.claims import CLAIMS, PaperPanel
from unirank.lab.matchrank_claims import MATCHRANK, OWN_CLAIMS, early_round, not_above_pb_mhb

AT_1E5, LAST_ROUND, NOT_ABOVE = OWN_CLAIMS
LATE = (ROUNDS >= 10**6) * LOGARITHM  # no regret before 10^6


@pytest.mark.parametrize("claim", OWN_CLAIMS, ids=lambda claim: claim.sentence[-30:])
def test_every_claim_holds_where_ours_is_the_lowest(claim: claims.Claim) -> None:
    findings = list(claim.findings(panels({})))
    assert [finding.panel for finding in findings] == list(claims.PANELS)
    assert {finding.verdict for finding in findings} == {"holds"}


@pytest.mark.parametrize(
    ("claim", "changes"),
    [
        (AT_1E5, {claims.GRAB: (10.0, LATE)}),
        (LAST_ROUND, {claims.DOUBLING: (10.0, LOGARITHM)}),
        (NOT_ABOVE, {claims.PB_MHB: (39.0, LOGARITHM)}),
    ],
    ids=["at 10^5", "last round", "not above PB-MHB"],
)
def test_a_claim_does_not_hold_where_a_curve_breaks_it(
    claim: claims.Claim, changes: dict[str, Change]
) -> None:
    found = {finding.verdict for finding in claim.findings(panels(changes))}
    assert found == {"does not hold"}


def test_regret_after_1e5_does_not_count_at_1e5() -> None:
    late = panels({MATCHRANK: (5000.0, LATE)})
    assert {finding.verdict for finding in AT_1E5.findings(late)} == {"holds"}
    assert {finding.verdict for finding in LAST_ROUND.findings(late)} == {"does not hold"}


def test_one_standard_error_above_pb_mhb_is_not_above_it() -> None:
    panel = panels({claims.PB_MHB: (40.0, LOGARITHM)})["simul-cm"]
    verdict, numbers = not_above_pb_mhb(panel)
    assert verdict == "holds"
    assert numbers.startswith("MatchRank minus PB-MHB ")


def test_short_games_are_examined_in_their_last_round() -> None:
    panel = panels({})["simul-cm"]
    short = PaperPanel(
        panel.name,
        {
            label: {q: replace(trace, n_rounds=10**4) for q, trace in curve.items()}
            for label, curve in panel.curves.items()
        },
    )
    assert (early_round(panel), early_round(short)) == (10**5, 10**4)


def test_the_papers_claims_do_not_count_our_policy() -> None:
    lowest = panels({MATCHRANK: (0.001, LOGARITHM)})
    for claim in CLAIMS:
        for finding in claim.findings(lowest):
            assert finding.verdict == "holds", claim.sentence
            assert MATCHRANK not in finding.numbers
