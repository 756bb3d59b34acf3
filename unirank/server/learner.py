"""The learner of a page: its settings, its policy and the counts of its arms, as the log has them.

A learner changes only by folding entries of the log, in their order. All who fold the same entries
have the same state, bit for bit: a process that has run all the time, one that began at a snapshot,
and one that replays the log.

Ranking changes a policy: UniRank counts the rounds of its leader, MatchRank those until a refresh.
Processes rank at different times, so each ranks with a copy of the policy (`serving.py`). The
learner itself numbers the outcomes: for each it lets one round pass, then learns from the ranking
that was shown.
"""

import logging
from collections.abc import Sequence
from copy import copy
from typing import Any, NamedTuple

import msgspec

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies import Policy
from unirank.policies.base.facts import registry
from unirank.policies.base.leader import leader_of
from unirank.policies.base.snapshot import PolicySnapshot
from unirank.policies.base.specs import class_named
from unirank.server.api import PageSettings, Rebuild, Without
from unirank.server.comparison import Compared, Comparison, SavedComparison
from unirank.server.history import Moment, is_moment, leading, note
from unirank.server.lift import lift_of
from unirank.server.store.store import Entry, PageRow
from unirank.server.view import LEARNER, ItemId, View

Parts = Without | list[Without]  # what a rebuild leaves out; older entries of the log have one
VERSION = 5  # a snapshot of another version is ignored; its page is read from the log
log = logging.getLogger("unirank.server")


class Tallies(NamedTuple):
    """Counts of one moment, to be read by any thread."""

    totals: dict[str, tuple[int, int]]  # by arm: views, clicks
    compared: Compared
    without: list[Without]


class FoldedPolicy(PolicySnapshot, kw_only=True, omit_defaults=False):
    """The policy of a learner as plain data."""

    round: int  # outcomes for which a round has passed
    max_pending: int = 1  # this and the next are for processes of version 0.1, which need them
    let_go: int = 0


class Snapshot(msgspec.Struct):
    """A learner as plain data; its fields mean what those of `Learner` mean."""

    settings: PageSettings
    policy: FoldedPolicy
    totals: dict[str, tuple[int, int]]
    comparison: SavedComparison
    moments: list[Moment]
    frozen: list[ItemId] | None
    displays: dict[ItemId, int]
    without: list[Without]
    version: int = VERSION


class Learner:
    """What is known of a page after entry number `cursor` of the log."""

    settings: PageSettings
    policy: Policy  # without rounds of its own

    def __init__(self, row: PageRow) -> None:
        self.number, self.name, self.seed = row.number, row.name, row.seed
        self.cursor = 0
        self.round = 0  # outcomes that the policy has met
        self.deleted = False
        self.totals: dict[str, tuple[int, int]] = {}  # by arm: views, clicks
        self.displays: dict[ItemId, int] = {}  # by item: views of any arm that held it
        self.comparison = Comparison()
        self.moments: list[Moment] = []
        self.without: list[Without] = []  # what the last rebuild left out
        self.frozen: list[ItemId] | None = None  # the order of a frozen page, until it is thawed

    def fold(self, entry: Entry) -> None:
        """Take the next entry of the page's log into account."""
        self.cursor = entry.number
        if entry.change is not None:
            self._change(entry.change)
            self._note(entry.at)
        elif entry.view is not None and entry.left_out:
            self.comparison.reach(entry.due_at, entry.view.id)
        elif entry.view is not None:
            self._count(entry.view, len(entry.clicks), entry.due_at)
            if entry.view.arm == LEARNER:
                self._learn(entry)
            if is_moment(self.views):
                self._note(entry.at)

    @property
    def views(self) -> int:
        return sum(n_views for n_views, _ in self.totals.values())

    def _note(self, at: float) -> None:
        lift = lift_of(self.comparison.compared().arms, self.policy.n_positions)
        interval = lift.value, lift.low, lift.high
        note(self.moments, Moment(self.views, at, leading(self.policy), interval))

    def _change(self, change: dict[str, Any]) -> None:
        self.deleted |= "deleted" in change
        if "rebuild" in change:
            self.without = Rebuild(msgspec.convert(change["rebuild"], Parts)).parts
        if "settings" in change:
            self.settings = self._with_old_start(msgspec.convert(change["settings"], PageSettings))
            if self.is_new:
                self.policy = new_policy(self.settings, self.seed)
            self.comparison.set_terms(self.cursor, self.settings)
            if self.settings.mode != "frozen":
                self.frozen = None
            elif self.frozen is None:  # a page that is frozen from its beginning has no `order`
                self.frozen = list(change.get("order") or best_order(self.policy))
        for method, items in (("add", change.get("add", ())), ("remove", change.get("remove", ()))):
            for item in items:
                try:
                    getattr(self.policy, method)(item)
                except ArgumentError as error:  # another process was first
                    log.info("page %s: %s", self.name, error)

    def _with_old_start(self, settings: PageSettings) -> PageSettings:
        """Return the settings, with the old `start` if the new one differs by its items only.

        A PUT sends `start` with the items that are there. If that became the start, a removed item
        would lose its place in it, and the comparison would begin anew under other terms.
        """
        if self.is_new or self.settings.start is None:
            return settings
        if settings.start != order_of_now(self.settings.start, items_of_now(self.policy)):
            return settings
        return msgspec.structs.replace(settings, start=self.settings.start)

    @property
    def is_new(self) -> bool:
        """Whether no entry of the log has made the page yet."""
        return not hasattr(self, "policy")

    def _learn(self, entry: Entry) -> None:
        shown = entry.view
        assert shown is not None
        try:
            self.policy.pass_round(self.round + 1, self._choice(shown.available))
            self.round += 1
            clicked = [shown.items[position] for position in entry.clicks]
            self.policy.learn(shown.items, shown.memory, clicked)
        except ArgumentError as error:
            log.error("page %s: outcome %s teaches nothing: %s", self.name, entry.number, error)

    def _choice(self, available: list[ItemId] | None) -> list[ItemId] | None:
        """The available items that are still there; None if all were, or too few are left."""
        if available is None:
            return None
        removed = set(self.policy.removed)
        left = [item for item in available if item not in removed]
        return left if len(left) >= self.policy.n_positions else None

    def _count(self, shown: View, n_clicks: int, due_at: float) -> None:
        views, clicks = self.totals.get(shown.arm, (0, 0))
        self.totals[shown.arm] = (views + 1, clicks + n_clicks)
        for item in shown.items:
            self.displays[item] = self.displays.get(item, 0) + 1
        self.comparison.count(shown, n_clicks, due_at)

    def tallies(self, closed_until: float = 0.0) -> Tallies:
        compared = self.comparison.compared(closed_until)
        return Tallies(dict(sorted(self.totals.items())), compared, self.without)

    def to_bytes(self) -> bytes:
        """Everything that was folded so far; equal learners give equal bytes."""
        return msgspec.msgpack.encode(
            Snapshot(
                self.settings,
                self._folded_policy(),
                dict(sorted(self.totals.items())),
                self.comparison.to_saved(),
                self.moments,
                self.frozen,
                self.displays,
                self.without,
            )
        )

    def _folded_policy(self) -> FoldedPolicy:
        fields = msgspec.structs.asdict(self.policy.to_snapshot())
        return FoldedPolicy(**fields, round=self.round)

    @classmethod
    def from_bytes(cls, row: PageRow, cursor: int, state: bytes) -> "Learner":
        """Inverse of `to_bytes`."""
        saved = msgspec.msgpack.decode(state, type=Snapshot)
        if saved.version != VERSION:
            raise ValueError(f"snapshot of version {saved.version}, not {VERSION}")
        learner = cls(row)
        learner.cursor, learner.settings, learner.totals = cursor, saved.settings, saved.totals
        learner.moments, learner.frozen = saved.moments, saved.frozen
        learner.displays, learner.without = saved.displays, saved.without
        learner.comparison = Comparison.from_saved(saved.comparison)
        policy, learner.round = saved.policy, saved.policy.round
        learner.policy = class_named(policy.policy, policy.module).from_snapshot(policy)
        return learner


def items_of_now(policy: Policy) -> list[ItemId]:
    """Return the items of a policy without those that were removed."""
    removed = set(policy.removed)
    return [item for item in policy.items if item not in removed]


def order_of_now(order: Sequence[ItemId], items: Sequence[ItemId]) -> list[ItemId]:
    """Return an older order with the items of now: without removed ones, and new ones last."""
    there, known = set(items), set(order)
    return [item for item in order if item in there] + [i for i in items if i not in known]


def new_policy(settings: PageSettings, seed: int) -> Policy:
    """The policy of a page before its first outcome; an ArgumentError says what does not fit."""
    cls = registry[settings.policy]
    options, known = dict(settings.options), set(cls.option_names()) - {"max_pending"}
    for option in options:
        arguments.choice(f"option of {cls.name}:", option, sorted(known))
    needed = [name for name in cls.option_names(needed=True) if name not in options]
    if needed:
        example = ", ".join(f'"{name}": ...' for name in needed)
        raise ArgumentError(
            f'policy {cls.name} needs {", ".join(needed)}: send "options": {{{example}}}'
        )
    if settings.start is not None and "start" in known:
        options.setdefault("start", settings.start)
    policy = cls(settings.items, settings.n_positions, seed=seed, **options)
    return cls.from_snapshot(policy.to_snapshot())  # a snapshot changes the type of some options


def compile_policy(settings: PageSettings) -> Policy:
    """Return the policy of a page, compiled by calling each method that the service uses."""
    policy = new_policy(settings, seed=0)
    shown = policy.without_rounds().rank_at(1)
    policy.pass_round(1)
    policy.learn(shown.items, shown.memory, [])
    leading(policy)
    return policy


def best_order(policy: Policy) -> list[ItemId]:
    """Return all items by a policy's leader: those on the page, then those below it."""
    leader = leader_of(copy(policy))  # of a copy: to look can change a policy
    removed = set(policy.removed)
    order = [item for group in leader.groups for item in group] + list(leader.below)
    return [item for item in order if item not in removed]
