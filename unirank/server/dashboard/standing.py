"""Where a page stands, in a few words: its state, and what its lift says."""

from dataclasses import dataclass
from typing import Literal

from unirank.page.split import sample_ratio
from unirank.server.api import ArmCounts, PageSummary
from unirank.server.dashboard.formats import count, percent
from unirank.server.view import HOLDOUT, LEARNER, OBSERVED

State = Literal["waiting", "trying", "settled", "frozen", "observing"]
STATES: dict[State, tuple[str, str]] = {
    "waiting": ("no outcome yet", "It learns from a view when its window for clicks is over."),
    "trying": ("learning", "It still tries other orders to find out which is best."),
    "settled": (
        "settled",
        "Other orders are hardly tried any more: in fewer than 5 % of the lists.",
    ),
    "frozen": ("frozen", "Everybody but the holdout sees the order; nothing is learnt."),
    "observing": ("observing", "Everybody sees today's order; nothing is learnt."),
}
FEWEST_TO_JUDGE = 50  # views, before the shares of the groups are called right
Verdict = Literal["gain", "loss", "open", "early", "none", "broken"]


@dataclass(frozen=True)
class Lift:
    """The lift in words: a verdict, a headline, and what to make of it."""

    verdict: Verdict
    headline: str
    relative: str  # about 12 %
    text: str


@dataclass(frozen=True)
class Group:
    """Visitors who see the same thing: how its curve is drawn, what they see, what they did."""

    key: str
    words: str
    counts: ArmCounts


def state_of(page: PageSummary) -> State:
    if page.mode == "observe":
        return "observing"
    if page.mode == "frozen":
        return "frozen"
    if not page.views:
        return "waiting"
    return "settled" if page.settled else "trying"


def lift_in_words(page: PageSummary) -> Lift:
    """What the comparison with the holdout says."""
    compared = page.lift.arms
    if page.mode == "observe" and HOLDOUT not in compared:
        return Lift("none", "Nothing to compare", "", "All visitors see today's order.")
    if page.views and not page.settings.holdout.share:
        text = "Nobody sees the old order: give the page a holdout, and its lift is measured."
        return Lift("none", "No holdout", "", text)
    if page.sample_ratio is not None and page.sample_ratio < sample_ratio.LEVEL:
        text = (
            f"The two groups do not have the shares that were asked for (p = "
            f"{page.sample_ratio:.1g}). Find out which reports get lost before you read the lift."
        )
        return Lift("broken", "The comparison is broken", "", text)
    if not compared:
        if page.lift.waiting:
            return Lift("none", "Nothing to compare yet", "", waiting_of(page))
        if page.views:
            text = "It compares what visitors see from now on; those before saw something else."
            return Lift("none", "The comparison begins anew", "", text)
        text = (
            f"Lists that were shown wait for their clicks: each counts when its window of "
            f"{page.settings.window_s:g} seconds is over."
        )
        return Lift("none", "No outcome yet", "", text)
    if page.lift.low is None or page.lift.high is None or page.lift.value is None:
        text = "An interval needs clicks of at least 50 visitors in each of the two groups."
        return Lift("early", "Too few clicks to tell", "", text)
    if page.lift.low > 0.0:
        return Lift("gain", "More clicks", _relative(page), "All of the interval is above 0.")
    if page.lift.high < 0.0:
        return Lift("loss", "Fewer clicks", _relative(page), "All of the interval is below 0.")
    text = "The interval holds 0: the two groups may be equal. More visitors make it narrower."
    return Lift("open", "Not decided yet", _relative(page), text)


def groups_of(page: PageSummary) -> list[Group]:
    """The groups that the lift compares, with their figures since this comparison began."""
    nothing, compared, found = ArmCounts(0, 0, None), page.lift.arms, []
    if page.mode == "observe" and OBSERVED in page.arms:
        found.append(Group(OBSERVED, "today's order (observed)", page.arms[OBSERVED]))
    if page.mode != "observe" or HOLDOUT in compared:
        words = "the frozen order" if page.mode == "frozen" else "what is learnt"
        found.append(Group(LEARNER, words, compared.get(LEARNER, nothing)))
    if page.settings.holdout.share and (page.mode != "observe" or HOLDOUT in compared):
        order = "today's order" if page.settings.holdout.order == "start" else "a random order"
        found.append(Group(HOLDOUT, f"{order} (holdout)", compared.get(HOLDOUT, nothing)))
    return found


def fairness_of(page: PageSummary) -> str:
    """Say whether the groups have their shares; empty if there is nothing to say."""
    n_views = sum(counts.views for counts in page.lift.arms.values())
    if page.sample_ratio is None or not page.settings.holdout.share or not n_views:
        return ""
    if page.sample_ratio < sample_ratio.LEVEL:  # the headline says it
        return ""
    if n_views < FEWEST_TO_JUDGE:
        return "There are too few visitors to say whether the groups have the shares asked for."
    return "The two groups have the shares that were asked for: the comparison is fair."


def waiting_of(page: PageSummary) -> str:
    """Say how many views the page has learnt from but does not compare yet."""
    one = page.lift.waiting == 1
    whose = "1 view whose report" if one else f"{count(page.lift.waiting)} views whose reports"
    verbs = "was final counts" if one else "were final count"
    return f"{whose} {verbs} here when the window for clicks is over, as all others do."


def left_out_of(page: PageSummary) -> str:
    """Say how many views these figures leave out; empty if they have all."""
    if not page.lift.left_out or (page.mode == "observe" and not page.lift.arms):
        return ""
    other = "not frozen, or frozen before" if page.mode == "frozen" else "frozen or observed"
    views = (
        "1 other view is" if page.lift.left_out == 1 else f"{count(page.lift.left_out)} others are"
    )
    return f"{views} left out: then the holdout was another one, or the page was {other}."


def _relative(page: PageSummary) -> str:
    """The lift as a share of the holdout's clicks per view; the interval has none."""
    rate, value = page.lift.arms[HOLDOUT].clicks_per_view, page.lift.value
    if not rate or value is None:
        return ""
    return f"about {percent(abs(value) / rate)} {'more' if value >= 0 else 'fewer'}"
