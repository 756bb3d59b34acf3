"""Which copies of a policy learnt how much of what it knows: two that ran apart can be merged.

Every copy that is made, loaded or forked is a *learner* with a random number. It counts what
changed its statistics. A policy knows, by learner, how much is in its statistics; what two policies
share is the smaller count of each learner. Where the statistics of that common point are at hand,
merging is a sum:

    merged = mine + theirs - common

Each copy keeps two points: where it was loaded, and the oldest one since the last merge, which is
saved with it.
"""

from secrets import randbits
from typing import TYPE_CHECKING, Any, NamedTuple

from unirank.errors import ArgumentError
from unirank.page.answered_elsewhere import WINDOW
from unirank.page.lineage import Forks
from unirank.policies.base.policy import Policy

if TYPE_CHECKING:
    from unirank.page.rounds import Rounds

MOST_LEARNERS = 4096  # the oldest are forgotten

Known = dict[int, int]  # learner -> how much of it


class Point(NamedTuple):
    """What a policy knew at some time."""

    known: Known
    statistics: dict[str, Any]


class Learning:
    """What one copy learnt itself, and what it began with."""

    def __init__(self) -> None:
        self.before: Known = {}
        self.points: list[Point] = []
        self.has_merged = False
        self.learn_as_another(0)

    def begin(self, point: Point, round_: int) -> None:
        """Learn from here on as a learner of its own."""
        self.before = point.known
        self.points = [*self.points[:1], point]
        self.learn_as_another(round_)

    def merge(self, known: Known, round_: int) -> None:
        """Know this from now on."""
        self.before = known
        self.has_merged = True
        self.learn_as_another(round_)

    def learn_as_another(self, round_: int) -> None:
        self.learner = randbits(64)
        self.n_changes = -round_  # with the round it is what changed since
        self.process = Forks.count

    def known(self, round_: int) -> Known:
        """How much of each learner is in the statistics, after this round."""
        own = self.n_changes + round_
        everything = {**self.before, self.learner: own} if own else self.before
        return dict(list(everything.items())[-MOST_LEARNERS:])

    def to_save(self, round_: int) -> Point | None:
        """The point that copies of this copy need, besides this one, to merge with others."""
        new = [point for point in self.points[:1] if point.known != self.known(round_)]
        return new[0] if new and not self.has_merged else None


def common_point(mine: Known, theirs: Known, points: list[Point]) -> Point:
    """What both know; an ArgumentError says why they cannot be merged."""
    common = {n: min(mine[n], theirs[n]) for n in mine if n in theirs}
    if common == theirs:
        raise ArgumentError(
            "other must have learnt something that this policy has not, got nothing"
        )
    for point in points:
        if point.known == common:
            return point
    raise ArgumentError(
        "other must not have learnt on since it was merged or saved: merge once, "
        "then go on with copies of the merged policy"
    )


def joined(mine: Known, theirs: Known) -> Known:
    """What a merged policy knows."""
    return {n: max(mine.get(n, 0), theirs.get(n, 0)) for n in {**theirs, **mine}}


def check_alike(rounds: "Rounds", other: object) -> None:
    """Raise an ArgumentError unless `other` is another copy of the policy of these rounds."""
    policy = rounds.policy
    if not isinstance(other, Policy) or type(other) is not type(policy) or other is policy:
        raise ArgumentError(f"other must be another copy of this {policy.name}, got {other!r:.60}")
    if policy.items != other.items:
        raise ArgumentError(f"other must have the same items, got {_difference(policy, other)}")
    for name in ("removed", "n_positions", "position_order", "half_life", "options"):
        mine, theirs = getattr(policy, name), getattr(other, name)
        if mine != theirs:
            raise ArgumentError(
                f"other must have the same {name}: {mine!r:.60}, got {theirs!r:.60}"
            )
    this, that = rounds.lineage.seal.policy, other._on_page().lineage.seal.policy
    if this != that:
        raise ArgumentError(
            f"other must be a copy of this policy: it is {that:016x}, this is {this:016x}"
        )


def _difference(policy: Policy, other: Policy) -> str:
    """Say how the items of `other` differ."""
    mine, theirs = set(policy.items), set(other.items)
    lacking = [item for item in policy.items if item not in theirs]
    added = [item for item in other.items if item not in mine]
    if lacking or added:
        kind, found = ("without", lacking) if lacking else ("with", added)
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        return f"one {kind} {found[0]!r}{more}: merge copies first, then add items"
    return "the same in another order"


def merge_into(rounds: "Rounds", other: "Rounds", points: list[Point]) -> None:
    """Add what `other` learnt since the two parted; `points` are those it keeps."""
    learning, policy = rounds.learning, rounds.policy
    mine, theirs = learning.known(rounds.round), other.learning.before
    now = Point(mine, policy.statistics())
    common = common_point(mine, theirs, [now, *learning.points, *points])
    merged = policy.merged_statistics(other.policy.statistics(), common.statistics)
    policy._restore_statistics(merged)
    learning.merge(joined(mine, theirs), rounds.round)
    merge_answers(rounds, other)


def merge_answers(rounds: "Rounds", other: "Rounds") -> None:
    """Rounds that were answered there are answered here, too."""
    waiting = {number for number, _ in other.unanswered}
    for number, _ in list(rounds.unanswered):
        epoch = rounds.lineage.epoch_of(number)
        if gave(other, epoch, number):
            answered = number not in waiting
        else:
            answered = epoch is not None and (epoch, number) in other.elsewhere
        if answered:
            rounds.unanswered.remove(rounds.unanswered.find(number))
    there = list(other.elsewhere)
    for number in range(max(1, other.round + 1 - WINDOW), other.round + 1):
        epoch = other.lineage.epoch_of(number)
        if epoch is not None and number not in waiting:
            there.append((epoch, number))
    for epoch, number in there:
        if not gave(rounds, epoch, number) and (epoch, number) not in rounds.elsewhere:
            rounds.elsewhere.add(epoch, number)


def gave(rounds: "Rounds", epoch: int | None, number: int) -> bool:
    """Whether this copy, or one it descends from, has given this round."""
    return number <= rounds.round and rounds.lineage.epoch_of(number) == epoch
