"""The paper's sentences about its experiments as tests on curves.

Section 6.2 of Gauthier, Gaudel and Fromont (ICML 2022). Each claim quotes a sentence, names the
panels it is about and the test, and yields a finding per panel: a verdict and its numbers. Only the
paper's seven curves count; `matchrank_claims.py` has those on MatchRank, our own policy.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from unirank.lab import evidence
from unirank.lab.evidence import TracesByProblem, Verdict
from unirank.lab.simulation import Trace

UNIRANK = "UniRank"
TOPRANK = "TopRank, right horizon"
OVERESTIMATED = "TopRank, horizon 10^12"
DOUBLING = "TopRank, doubling"
PB_MHB = "PB-MHB"
GRAB = "GRAB"
CASCADE = "CascadeKL-UCB"

CURVES = (UNIRANK, TOPRANK, OVERESTIMATED, DOUBLING, PB_MHB, GRAB, CASCADE)

PBM_PANELS = ("kdd-pbm", "yandex-pbm", "yandex-8107157-pbm", "simul-pbm")
CM_PANELS = ("yandex-cm", "simul-cm")
PANELS = (*PBM_PANELS, *CM_PANELS)
STRICT = ("yandex-8107157-pbm", "simul-pbm", "simul-cm")  # the best items differ in attraction


@dataclass(frozen=True)
class PaperPanel:
    """The curves of one experiment by label; a curve has one trace for each problem."""

    name: str
    curves: Mapping[str, TracesByProblem]

    @property
    def last(self) -> int:
        """The last round that all curves reach."""
        return min(trace.n_rounds for curve in self.curves.values() for trace in curve.values())


@dataclass(frozen=True)
class Finding:
    """The verdict of one panel on a claim, with its numbers."""

    panel: str
    verdict: Verdict
    numbers: str


Examine = Callable[[PaperPanel], tuple[Verdict, str]]


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper, its test, the panels it is about and the curves it needs."""

    sentence: str
    test: str
    panels: tuple[str, ...]
    needs: tuple[str, ...]
    examine: Examine

    def findings(self, panels: Mapping[str, PaperPanel]) -> Iterator[Finding]:
        """Yield a finding per panel and coupling that was run with the curves this claim needs."""
        for name in self.panels:
            for panel in (panels.get(name), panels.get(f"{name}-common")):
                if panel is not None and set(self.needs) <= panel.curves.keys():
                    yield Finding(panel.name, *self.examine(panel))


def panels_of(traces: list[Trace]) -> dict[str, PaperPanel]:
    """Group traces by experiment, label and problem."""
    curves: dict[str, dict[str, dict[str, Trace]]] = {}
    for trace in traces:
        by_label = curves.setdefault(trace.experiment, {})
        by_label.setdefault(trace.label, {})[trace.problem] = trace
    return {name: PaperPanel(name, found) for name, found in curves.items()}


def ends_below(label: str, *others: str) -> Examine:
    """Test whether a policy ends below the others named, or below every other one of the paper."""
    return lambda panel: below_at(panel, panel.last, label, *others)


def below_at(panel: PaperPanel, round_: int, label: str, *others: str) -> tuple[Verdict, str]:
    """Test whether a curve is below others in a round; of the paper's seven, show the lowest."""
    rivals = others or tuple(other for other in CURVES if other != label)
    found = {name: evidence.regret_at(panel.curves[name], round_) for name in (label, *rivals)}
    verdicts = [
        evidence.is_below(panel.curves[label], panel.curves[rival], round_) for rival in rivals
    ]
    lowest = min(rivals, key=lambda rival: found[rival].mean)
    shown = (label, *(others or (lowest,)))
    return evidence.together(verdicts), "; ".join(f"{name} {found[name]}" for name in shown)


def both_logarithmic(panel: PaperPanel) -> tuple[Verdict, str]:
    labels = (UNIRANK, TOPRANK)
    verdicts = [evidence.is_logarithmic(panel.curves[label], panel.last) for label in labels]
    slopes = [
        f"{label}: {verdict}, slope {evidence.slope(panel.curves[label], panel.last)} per unit of "
        f"ln t, excess growth {evidence.growth(panel.curves[label], panel.last)}"
        for label, verdict in zip(labels, verdicts, strict=True)
    ]
    return evidence.together(verdicts), "; ".join(slopes)


def ahead_until_a_million(panel: PaperPanel) -> tuple[Verdict, str]:
    left, right = panel.curves[UNIRANK], panel.curves[TOPRANK]
    before = [10**k for k in range(3, 6) if 10**k < panel.last]
    verdicts = [evidence.is_below(left, right, round_) for round_ in before]
    gaps = [f"t = {r:,}: {evidence.difference(left, right, r)}" for r in (*before, panel.last)]
    verdicts.append(evidence.is_below(left, right, panel.last, or_equal=True))
    return evidence.together(verdicts), "UniRank minus TopRank, " + "; ".join(gaps)


def stops_early(panel: PaperPanel) -> tuple[Verdict, str]:
    early, total = panel.last // 100, evidence.regret_at(panel.curves[TOPRANK], panel.last).mean
    samples = [(t.at(panel.last), t.at(early)) for t in panel.curves[TOPRANK].values()]
    excess = evidence.estimated([0.9 * last - before for last, before in samples])
    late = evidence.estimated([last - before for last, before in samples]).mean
    verdict = evidence.verdict_on(excess)
    share = late / total if total > 0 else 0.0
    return verdict, f"{share:.1%} of TopRank's regret comes after round {early:,}"


CLAIMS = (
    Claim(
        "As expected, CascadeKL-UCB (respectively PB-MHB) outperforms other algorithms in the CM "
        "(resp. PBM) model for which it is designed: CascadeKL-UCB",
        "its regret in the last round is below that of every other curve",
        CM_PANELS,
        CURVES,
        ends_below(CASCADE),
    ),
    Claim(
        "As expected, CascadeKL-UCB (respectively PB-MHB) outperforms other algorithms in the CM "
        "(resp. PBM) model for which it is designed: PB-MHB",
        "its regret in the last round is below that of every other curve",
        PBM_PANELS,
        CURVES,
        ends_below(PB_MHB),
    ),
    Claim(
        "although GRAB is designed for PBM model, it suffers a high regret when confronted to the "
        "query 8107157 of Yandex and to Simul with PBM model",
        "UniRank's regret in the last round is below GRAB's",
        ("yandex-8107157-pbm", "simul-pbm"),
        (UNIRANK, GRAB),
        ends_below(UNIRANK, GRAB),
    ),
    Claim(
        "UniRank and TopRank enjoy a logarithmic regret in all settings",
        "regret grew in the last decade at most 1.5 times as much as in the decade before",
        PANELS,
        (UNIRANK, TOPRANK),
        both_logarithmic,
    ),
    Claim(
        "UniRank outperforms TopRank for the models such that the K best items do not have the "
        "same attractiveness: query 8107157 of Yandex, simul PBM, and simul CM",
        "its regret in the last round is below that of TopRank with the right horizon",
        STRICT,
        (UNIRANK, TOPRANK),
        ends_below(UNIRANK, TOPRANK),
    ),
    Claim(
        "When confronted to other models, UniRank has a regret strictly smaller than TopRank "
        "before the iteration 10^6, and smaller or equal to TopRank at the horizon",
        "it is below TopRank with the right horizon at 10^3, 10^4 and 10^5, and not above it in "
        "the last round",
        tuple(name for name in PANELS if name not in STRICT),
        (UNIRANK, TOPRANK),
        ahead_until_a_million,
    ),
    Claim(
        "TopRank is aware of the horizon T and may stop (over)exploring early, as can be observed "
        "in the CM model after iteration 10^5",
        "at most a tenth of its regret comes after a hundredth of the rounds",
        CM_PANELS,
        (TOPRANK,),
        stops_early,
    ),
    Claim(
        "If TopRank targets a horizon T=10^12 or uses the doubling trick it suffers a higher "
        "regret than UniRank",
        "UniRank's regret in the last round is below both",
        PANELS,
        (UNIRANK, OVERESTIMATED, DOUBLING),
        ends_below(UNIRANK, OVERESTIMATED, DOUBLING),
    ),
    Claim(
        "Not in the paper: TopRank with a wrong horizon does worse than with the right one",
        "its regret in the last round, with the right horizon, is below both others",
        PANELS,
        (TOPRANK, OVERESTIMATED, DOUBLING),
        ends_below(TOPRANK, OVERESTIMATED, DOUBLING),
    ),
)
