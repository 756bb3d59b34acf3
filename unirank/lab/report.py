"""The report of a reproduction: a verdict on each claim, with its numbers."""

from collections.abc import Mapping, Sequence

from unirank.lab.claims import CLAIMS, Claim, Finding, PaperPanel
from unirank.lab.evidence import Z, together
from unirank.lab.summary import pooled, regret_rows
from unirank.lab.timing import HEADER, PAPER_MILLISECONDS, Timing
from unirank.markdown import markdown_table

PAPER_ROUNDS = 10**7
PAPER_GAMES = 20 * (8 + 10 + 10 + 1 + 1 + 1)  # per query: KDD, Yandex PBM and CM, three single ones
CURVES_OF = {"toprank": 3}  # all others have one
SHORT = (
    "The paper played 10^7 rounds. The verdicts below are about shorter games, and what they say "
    "of sentences about the long run is an indication at most."
)


def claims_section(panels: Mapping[str, PaperPanel]) -> str:
    """Every claim with its verdict, then the panels one by one."""
    parts = []
    for number, claim in enumerate(CLAIMS, 1):
        findings = list(claim.findings(panels))
        parts.append(f"### {number}. {claim.sentence}\n\n{verdict_line(claim, findings)}")
        if findings:
            rows = [(f.panel, f.verdict, f.numbers) for f in findings]
            parts.append(markdown_table(("panel", "verdict", "numbers"), rows))
    return "\n\n".join(parts)


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
    if set(ours) == set(PAPER_MILLISECONDS):
        hours = (
            PAPER_GAMES * PAPER_ROUNDS * sum(ours[p] * CURVES_OF.get(p, 1) for p in ours) / 3.6e12
        )
        lines.append(
            f"Extrapolated from these times: the paper's six panels, {PAPER_GAMES} games of 10^7 "
            f"rounds for each of seven curves, take {hours / 2:.1f} hours on two cores without "
            "skipping any round."
        )
    return "\n\n".join(lines)


def regret_section(panels: Mapping[str, PaperPanel]) -> str:
    """Return tables of regret by decade: mean, median, 95th percentile and worst game."""
    parts = []
    for panel in panels.values():
        traces = [trace for curve in panel.curves.values() for trace in curve.values()]
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
            for row in regret_rows(pooled(traces))
        ]
        header = ("policy", "round", "games", "mean ± standard error", "median", "95%", "worst")
        parts.append(f"### {panel.name}\n\n{markdown_table(header, rows)}")
    return "\n\n".join(parts)


def report_text(
    panels: Mapping[str, PaperPanel],
    *,
    command: str,
    scale: str,
    machine: str,
    left_out: Sequence[str],
    figures: Mapping[str, str],
    timing: Timing | None,
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
                f"## Time\n\n{times_section(timing) if timing else 'Not measured.'}",
                f"## Regret at powers of ten\n\n{regret_section(panels)}",
            ]
        )
        + "\n"
    )
