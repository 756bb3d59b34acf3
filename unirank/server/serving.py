"""How a page answers `rank`: with a copy of what it learnt, so that ranking changes no learner."""

from copy import copy
from math import isnan, perm
from random import SystemRandom
from typing import Any

import msgspec

from unirank.errors import ArgumentError, UnknownNameError
from unirank.page.split.assignment import Assignment
from unirank.page.split.counts import N_BUCKETS
from unirank.policies.base.facts import require_fact
from unirank.server.api import PageSettings, RankRequest
from unirank.server.impression import FROZEN, HOLDOUT, LEARNER, OBSERVED, Arm, Impression, ItemId
from unirank.server.learner import Learner, items_of_now, order_of_now

chance = SystemRandom()


class Serving:
    """One page, as of one moment of its learner.

    The event loop ranks with it. Other threads read it, and ask copies of its policy.
    """

    def __init__(self, learner: Learner, arm_key: bytes) -> None:
        self.page, self.settings = learner.number, learner.settings
        self.policy = learner.policy.without_rounds()
        self.without = learner.without
        self.as_of, self._terms = learner.cursor, learner.comparison.now
        self.items, self._known = items_of_now(self.policy), set(self.policy.items)
        self.start = order_of_now(self.settings.start or (), self.items)
        self.frozen = order_of_now(learner.frozen or (), self.items)
        share = self.settings.holdout.share
        self._assignment = Assignment(arm_key, [share, 1.0 - share])

    @property
    def settings_now(self) -> PageSettings:
        """The settings with the items of now: a PUT of them changes nothing."""
        start = None if self.settings.start is None else self.start
        return msgspec.structs.replace(self.settings, items=self.items, start=start)

    def impression(
        self, number: int, request: RankRequest, session: bytes, now: float
    ) -> Impression:
        """Choose a list for one visitor."""
        assigned = self._assignment.of(number if request.session is None else request.session)
        arm = self._arm(assigned.arm)
        items, memory, propensity = self._chosen(arm, number, request.available)
        return Impression(
            id=number,
            page=self.page,
            items=items,
            memory=memory,
            arm=arm,
            propensity=propensity,
            shown_at=now,
            expires_at=now + self.settings.window_s,
            session=session,
            place=assigned.place if request.session is None else assigned.place % N_BUCKETS,
            available=request.available,
            deferred=request.defer,
            terms=self._terms,
        )

    def _arm(self, number: int) -> Arm:
        if self.settings.mode == "observe":
            return OBSERVED
        if number == 0 and self.settings.holdout.share > 0.0:
            return HOLDOUT
        return LEARNER if self.settings.mode == "learn" else FROZEN

    def _chosen(
        self, arm: Arm, number: int, available: list[ItemId] | None
    ) -> tuple[list[ItemId], bytes, float | None]:
        if arm == LEARNER:
            shown = self.policy.rank_at(number, available)
            propensity = None if isnan(shown.propensity) else shown.propensity
            return list(shown.items), shown.memory, propensity
        if arm == HOLDOUT and self.settings.holdout.order == "random":
            choice = self._among(self.items, available)
            n = self.policy.n_positions
            return chance.sample(choice, n), b"", 1.0 / perm(len(choice), n)
        order = self.frozen if arm == FROZEN else self.start
        return self._among(order, available)[: self.policy.n_positions], b"", 1.0

    def _among(self, order: list[ItemId], available: list[ItemId] | None) -> list[ItemId]:
        if available is None:
            return order
        require_fact(type(self.policy), "availability", "choose among available items")
        for item in available:
            if item not in self._known:
                raise UnknownNameError("item in available:", item, self.policy.items)
        wanted = set(available)
        found = [item for item in order if item in wanted]
        if len(found) < self.policy.n_positions:
            raise ArgumentError(
                f"available must hold at least n_positions={self.policy.n_positions} items of the "
                f"page, got {len(found)}: if so few are there, show all of them without asking"
            )
        return found

    def explanation(self) -> Any:
        """`explain()` of the policy, of a copy: to look changes nothing. None if it has none."""
        policy = copy(self.policy)
        explain = getattr(policy, "explain", None)
        return None if explain is None else explain()
