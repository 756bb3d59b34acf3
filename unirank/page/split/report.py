"""What an A/B test says: a table, the differences with their intervals, and whether it is sound."""

from dataclasses import dataclass
from math import isnan, nan
from typing import NamedTuple

from unirank.markdown import markdown_table
from unirank.page.split import sample_ratio
from unirank.page.split.counts import ArmCounts
from unirank.page.split.interval import LEAST_CLICKED, half_width

ALPHA = 0.05
HEADER = ("arm", "share", "sessions", "lists", "views", "clicks", "clicks per view")


class Interval(NamedTuple):
    """An estimate with a confidence sequence; NaN where there are too few clicks to tell."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class ArmReport:
    """One arm: `views` are lists that were answered, `sessions` a sample of at most 65,536."""

    name: str
    share: float
    sessions: int
    given: int
    views: int
    clicks: float
    rate: float  # clicks per view
    low: float
    high: float


@dataclass(frozen=True)
class DifferenceReport:
    """Clicks per view of an arm minus those of the first arm."""

    arm: str
    against: str
    estimate: float
    low: float
    high: float

    @property
    def sentence(self) -> str:
        pair = f"{self.arm} - {self.against}"
        if isnan(self.low):
            return f"{pair}: too few clicks yet to tell"
        numbers = f"{self.estimate:+.4f} clicks per view, between {self.low:+.4f} and "
        verdict = "more" if self.low > 0 else "fewer" if self.high < 0 else "not decided yet"
        return f"{pair}: {numbers}{self.high:+.4f}: {verdict}"


@dataclass(frozen=True)
class SplitReport:
    """The state of an A/B test; `str` and `markdown()` make it readable.

    Intervals hold at all times together, with 95 % for all differences.

    Parameters
    ----------
    arms
        What each arm has got.
    differences
        Of each arm to the first one, in clicks per view.
    sample_ratio
        The p-value of the shares; below 0.001 the test is `broken`.
    """

    arms: tuple[ArmReport, ...]
    differences: tuple[DifferenceReport, ...]
    sample_ratio: float

    @property
    def broken(self) -> str:
        """One line that says why nothing here can be trusted; empty if the split is sound."""
        if self.sample_ratio >= sample_ratio.LEVEL:
            return ""
        total = sum(arm.sessions for arm in self.arms)
        found = ", ".join(
            f"{arm.name} {arm.sessions / total:.1%} instead of {arm.share:.1%}" for arm in self.arms
        )
        return (
            f"the split is broken (p = {self.sample_ratio:.1g}): {found} of {total:,} sessions "
            "were answered; find out which answers get lost before you read on"
        )

    def markdown(self) -> str:
        """The table of the arms and a line for each difference."""
        rows = [
            [
                arm.name,
                f"{arm.share:.1%}",
                f"{arm.sessions:,}",
                f"{arm.given:,}",
                f"{arm.views:,}",
                f"{arm.clicks:,.10g}",
                "" if isnan(arm.rate) else f"{arm.rate:.4f}{_between(arm.low, arm.high)}",
            ]
            for arm in self.arms
        ]
        lines = [self.broken] if self.broken else []
        lines += [each.sentence for each in self.differences]
        table = markdown_table(HEADER, rows, numbers_from=1)
        return "\n".join([table, "", *(f"- {line}" for line in lines)])

    def __str__(self) -> str:
        return self.markdown()


def _between(low: float, high: float) -> str:
    return "" if isnan(low) else f" ({low:.4f} to {high:.4f})"


def reported(
    names: tuple[str, ...],
    shares: list[float],
    counts: list[ArmCounts],
    n_positions: int,
    expected_views: int,
) -> SplitReport:
    """Return the report of some counts."""
    arms = [
        ArmReport(
            name,
            share,
            each.sessions,
            each.given,
            each.views,
            each.clicks,
            *rate_of(each, n_positions, expected_views),
        )
        for name, share, each in zip(names, shares, counts, strict=True)
    ]
    first = counts[0]
    alpha = ALPHA / (len(names) - 1)
    differences = [
        DifferenceReport(
            name, names[0], *difference_of(each, first, n_positions, expected_views, alpha)
        )
        for name, each in zip(names[1:], counts[1:], strict=True)
    ]
    ratio = sample_ratio.p_value([each.sessions for each in counts], shares)
    return SplitReport(tuple(arms), tuple(differences), ratio)


def rate_of(arm: ArmCounts, n_positions: int, expected_views: int) -> Interval:
    """Clicks per view of one arm; they are between 0 and the number of positions."""
    if arm.n_clicked < LEAST_CLICKED:
        return Interval(arm.rate, nan, nan)
    half = half_width(arm.variance, arm.views, ALPHA, expected_views)
    return Interval(arm.rate, max(0.0, arm.rate - half), min(float(n_positions), arm.rate + half))


def difference_of(
    arm: ArmCounts,
    against: ArmCounts,
    n_positions: int,
    expected_views: int,
    alpha: float = ALPHA,
) -> Interval:
    """Clicks per view of one arm minus those of another, whose sessions are others."""
    estimate = arm.rate - against.rate
    if min(arm.n_clicked, against.n_clicked) < LEAST_CLICKED:
        return Interval(estimate, nan, nan)
    variance, n_views = arm.variance + against.variance, arm.views + against.views
    half = min(half_width(variance, n_views, alpha, expected_views), 2.0 * n_positions)
    low, high = max(estimate - half, -float(n_positions)), min(estimate + half, float(n_positions))
    return Interval(estimate, low, high)
