"""What a page learnt and gained, for people: the order, counts, lift, exploration."""

from copy import copy

from unirank.page.split import sample_ratio
from unirank.policies.base.leader import Leader, leader_or_none
from unirank.server.api import ArmCounts, Lift, PageSummary
from unirank.server.comparison import ARMS
from unirank.server.learner import Tallies
from unirank.server.lift import lift_of
from unirank.server.serving import Serving
from unirank.server.view import LEARNER

N_TRIES = 200  # rankings drawn to see how much is explored
FEWEST = 30  # views of the learner; with fewer, what is explored is a guess
SETTLED_BELOW = 0.05  # share of rankings that try something
SETTLED_AFTER = 1000  # views

STANDS = {
    "frozen": "the page is frozen: it shows one order, and learns nothing; the policy knows",
    "observe": "the page is observed: it shows today's order, and learns nothing; the policy knows",
}


def summary(name: str, serving: Serving, tallies: Tallies, *, explain: bool = False) -> PageSummary:
    """Say where a page stands; `explain` adds the policy's own words."""
    settings, policy = serving.settings, serving.policy
    leader = leader_or_none(copy(policy))
    views = sum(n_views for n_views, _ in tallies.totals.values())
    seen = tallies.totals.get(LEARNER, (0, 0))[0]
    explored = None if leader is None else exploration_share(serving, leader, seen)
    return PageSummary(
        page=name,
        mode=settings.mode,
        policy=policy.name,
        n_positions=policy.n_positions,
        items=serving.items,
        removed=list(policy.removed),
        settings=serving.settings_now,
        leader=None if leader is None else [list(group) for group in leader.groups],
        frozen=serving.frozen if settings.mode == "frozen" else None,
        views=views,
        clicks=sum(n_clicks for _, n_clicks in tallies.totals.values()),
        arms={arm: counted(*counts) for arm, counts in tallies.totals.items()},
        exploration_share=explored,
        lift=lift(tallies, policy.n_positions),
        sample_ratio=arm_ratio(tallies),
        without=tallies.without,
        settled=None if leader is None else is_settled(explored, seen),
        explanation=in_words(serving) if explain else None,
    )


def in_words(serving: Serving) -> str:
    """The policy's own words; of a page that does not learn, not those on its next round."""
    found = serving.explanation()
    if serving.settings.mode == "learn":
        return str(found)
    return f"{STANDS[serving.settings.mode]}\n{found.known}"


def counted(views: int, clicks: int) -> ArmCounts:
    return ArmCounts(views, clicks, clicks / views if views else None)


def exploration_share(serving: Serving, leader: Leader, seen: int) -> float | None:
    """Return the share of the next visitors' rankings that are not the leader's.

    None as long as the learner has seen too few.
    """
    if serving.settings.mode != "learn":
        return 0.0
    if seen < FEWEST:
        return None
    policy = copy(serving.policy)
    group_of = {item: n for n, group in enumerate(leader.groups) for item in group}
    n_tried = 0
    for _ in range(N_TRIES):
        groups = [group_of.get(item, len(leader.groups)) for item in policy.rank().items]
        n_tried += groups != sorted(groups) or groups[-1] == len(leader.groups)
    return n_tried / N_TRIES


def is_settled(explored: float | None, seen: int) -> bool:
    return explored is not None and explored < SETTLED_BELOW and seen >= SETTLED_AFTER


def lift(tallies: Tallies, n_positions: int) -> Lift:
    """Clicks per view of the learner minus the holdout's, with an interval that may be watched."""
    arms, n_held = tallies.compared.arms, tallies.compared.n_held
    found = lift_of(arms, n_positions)
    found.waiting = n_held
    for name, arm in zip(ARMS, arms or (), strict=False):
        if arm.views:
            found.arms[name] = counted(arm.views, int(arm.clicks))
    n_views = sum(n_views for n_views, _ in tallies.totals.values())
    found.left_out = n_views - n_held - sum(arm.views for arm in found.arms.values())
    return found


def arm_ratio(tallies: Tallies) -> float | None:
    """p-value of the shares of the arms, None as long as there was no holdout."""
    shares = tallies.compared.shares
    if not shares:
        return None
    groups = ((counts, (share, 1.0 - share)) for share, counts in shares.items())
    return sample_ratio.p_value_of(groups)
