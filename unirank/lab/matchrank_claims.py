"""Claims on MatchRank, our own policy, tested on the same curves as the paper's sentences."""

from unirank.lab import evidence
from unirank.lab.claims import (
    CASCADE,
    CURVES,
    GRAB,
    PANELS,
    PB_MHB,
    TOPRANK,
    UNIRANK,
    Claim,
    PaperPanel,
    below_at,
    ends_below,
)
from unirank.lab.evidence import Verdict

MATCHRANK = "MatchRank"
COMPARED = (MATCHRANK, PB_MHB, CASCADE, GRAB, UNIRANK, TOPRANK)
EARLY = 100_000  # rounds of a page that is seldom seen


def early_round(panel: PaperPanel) -> int:
    """10^5, or the last round of shorter games."""
    return min(EARLY, panel.last)


def not_above_pb_mhb(panel: PaperPanel) -> tuple[Verdict, str]:
    """Compare the difference in the last round with its own standard error, taken once."""
    gap = evidence.difference(panel.curves[MATCHRANK], panel.curves[PB_MHB], panel.last)
    return "holds" if gap.mean <= gap.error else "does not hold", f"MatchRank minus PB-MHB {gap}"


OWN_CLAIMS = (
    Claim(
        "MatchRank's mean is below that of every other policy at 10^5",
        "its regret at 10^5 rounds, or in the last round of shorter games, is below that of each "
        "of the paper's seven curves; the lowest of them is shown",
        PANELS,
        (MATCHRANK, *CURVES),
        lambda panel: below_at(panel, early_round(panel), MATCHRANK),
    ),
    Claim(
        "MatchRank's mean is below that of every other policy in the last round",
        "its regret in the last round is below that of each of the paper's seven curves; the "
        "lowest of them is shown",
        PANELS,
        (MATCHRANK, *CURVES),
        ends_below(MATCHRANK),
    ),
    Claim(
        "MatchRank's mean is not above PB-MHB's by more than its standard error",
        "the difference of the two, game by game, is in the last round at most one standard error "
        "above 0",
        PANELS,
        (MATCHRANK, PB_MHB),
        not_above_pb_mhb,
    ),
)
