"""The report of a reproduction: a verdict on each claim, with its numbers."""

from collections.abc import Collection, Mapping, Sequence

from unirank.lab.claims import CLAIMS, Claim, Finding, PaperPanel
from unirank.lab.evidence import Z, together
from unirank.lab.matchrank_claims import COMPARED, MATCHRANK, OWN_CLAIMS, early_round
from unirank.lab.summary import pooled, regret_rows
from unirank.lab.timing import HEADER, PAPER_MILLISECONDS, Timing
from unirank.markdown import markdown_table

PAPER_ROUNDS = 10**7
SHORT = (
    "The paper played 10^7 rounds. The verdicts below are about shorter games, and what they say "
    "of sentences about the long run is an indication at most."
)
OWN = (
    "MatchRank is this library's own policy, played on the same users; the verdicts on the paper "
    "above leave it out. Means do not show rare slow games, so the tables have the median, the "
    "95th percentile and the worst game of all queries beside them, at 10^5 rounds and in the last "
    "round. TopRank is the one that knows the horizon."
)


def claims_section(panels: Mapping[str, PaperPanel]) -> str:
    """Every claim of the paper with its verdict, then the panels one by one."""
    return "\n\n".join(
        f"### {number}. {claim.sentence}\n\n{findings_of(claim, panels)}"
        for number, claim in enumerate(CLAIMS, 1)
    )


def findings_of(claim: Claim, panels: Mapping[str, PaperPanel]) -> str:
    """The verdict on a claim, and a table of its panels."""
    findings = list(claim.findings(panels))
    rows = [(f.panel, f.verdict, f.numbers) for f in findings]
    table = [markdown_table(("panel", "verdict", "numbers"), rows)] if rows else []
    return "\n\n".join([verdict_line(claim, findings), *table])


def own_section(panels: Mapping[str, PaperPanel]) -> str:
    """What we claim of MatchRank, with verdicts; then a table of each panel, with its tails."""
    claims = [f"### {claim.sentence}\n\n{findings_of(claim, panels)}" for claim in OWN_CLAIMS]
    tables = [
        f"### MatchRank on {panel.name}\n\n"
        + regret_table(panel, COMPARED, {early_round(panel), panel.last})
        for panel in panels.values()
        if MATCHRANK in panel.curves
    ]
    return "\n\n".join([OWN, *claims, *tables])


def verdict_line(claim: Claim, findings: Sequence[Finding]) -> str:
    """Return one verdict for independent clicks and one for common clicks."""
    test = f"Test: {claim.test}."
    found = []
    for title, common in (("independent clicks", False), ("common clicks", True)):
        mine = [f for f in findings if f.panel.endswith("-common") is common]
        if mine:
            verdict = together([f.verdict for f in mine])
            wanted = [name for name in claim.panels if not common or name.endswith("-pbm")]
            part = "" if len(mine) == len(wanted) else f" on {len(mine)} of {len(wanted)} panels"
            found.append(f"**{verdict}**{part} ({title})")
    return f"{'; '.join(found) or '**not tested**: its panels were not run'}. {test}"


def times_section(timing: Timing) -> str:
    """Time per round beside the paper's table, and the two sentences about it."""
    ours = {s.policy: s.nanoseconds for s in timing.compiled if s.policy in PAPER_MILLISECONDS}
    others = [time for policy, time in ours.items() if policy != "pb-mhb"]
    lines = [
        markdown_table(HEADER, timing.rows()),
        f"Unskipped rounds on one core ({timing.problem}), all measured in turns in one run; a "
        f"round of `random` took {timing.compiled[0].unit:.0f} ns.",
    ]
    if "pb-mhb" in ours and others:
        slow = ours["pb-mhb"] / max(others)
        spread = max(others) / min(others)
        lines.append(
            "“PB-MHB is significantly slower with a computation time per recommendation ten times "
            f"higher than any other algorithm”: **{'holds' if slow >= 10 else 'does not hold'}**, "
            f"{slow:.1f} times the slowest other here, {13.9 / 1.0:.1f} in the paper."
        )
        lines.append(
            "“These other algorithms have a similar computation time”: "
            f"**{'holds' if spread <= 1.5 else 'does not hold'}**, the slowest takes {spread:.1f} "
            f"times as long as the fastest here, {1.0 / 0.7:.1f} in the paper."
        )
    return "\n\n".join(lines)


def regret_section(panels: Mapping[str, PaperPanel]) -> str:
    """Return tables of regret by decade, of every curve."""
    return "\n\n".join(
        f"### {panel.name}\n\n{regret_table(panel, tuple(panel.curves))}"
        for panel in panels.values()
    )


def regret_table(
    panel: PaperPanel, labels: Sequence[str], rounds: Collection[int] | None = None
) -> str:
    """Mean, median, 95th percentile and worst game of these curves, in these rounds or by decade.

    Curves that were not played are left out.
    """
    curves = [panel.curves[label] for label in labels if label in panel.curves]
    rows = [
        (
            row["policy"],
            f"{row['round']:,}",
            str(row["n_games"]),
            f"{row['mean']:,.1f} ± {row['standard_error'] or 0:,.1f}",
            f"{row['median']:,.1f}",
            f"{row['p95']:,.1f}",
            f"{row['worst']:,.1f}",
        )
        for row in regret_rows(pooled([trace for curve in curves for trace in curve.values()]))
        if rounds is None or row["round"] in rounds
    ]
    header = ("policy", "round", "games", "mean ± standard error", "median", "95%", "worst")
    return markdown_table(header, rows)


def report_text(
    panels: Mapping[str, PaperPanel],
    *,
    command: str,
    scale: str,
    machine: str,
    left_out: Sequence[str],
    figures: Mapping[str, str],
    timing: Timing | None,
    effort: str,
) -> str:
    """The whole report, as Markdown."""
    images = "\n\n".join(f"![{title}]({file})" for title, file in figures.items())
    longest = max((panel.last for panel in panels.values()), default=0)
    missing = "\n".join(f"- {line}" for line in left_out) or "Nothing."
    return (
        "\n\n".join(
            [
                "# The evaluation of UniRank, run again",
                f"Made by `{command}`: {scale}. {machine}.",
                "Regret is the expected number of clicks lost against the best ranking. Verdicts "
                f"compare policies game by game, and need a difference of {Z:g} standard errors "
                "within queries, which chance alone passes, on one query of 20 games, in 1 of 136 "
                "comparisons. Bands and tables show the standard error over all games of all "
                "queries, as the paper does.",
                *([SHORT] if longest < PAPER_ROUNDS else []),
                f"## Left out\n\n{missing}",
                f"## Regret\n\n{images}",
                f"## What the paper says, and what we found\n\n{claims_section(panels)}",
                f"## Our own policy\n\n{own_section(panels)}",
                f"## Time\n\n{effort}\n\n{times_section(timing) if timing else 'Not measured.'}",
                f"## Regret at powers of ten\n\n{regret_section(panels)}",
            ]
        )
        + "\n"
    )
