"""How a page answers `rank`: with a copy of its learner's policy.

Ranking changes a policy, and a learner may change by folding only.
"""

from copy import copy
from math import isnan, perm
from random import SystemRandom

import msgspec

from unirank.page.split.assignment import Assignment
from unirank.page.split.counts import N_BUCKETS
from unirank.policies.base.explanation import Explanation
from unirank.server.api import PageSettings, RankRequest
from unirank.server.learner import Learner, items_of_now, order_of_now
from unirank.server.view import FROZEN, HOLDOUT, LEARNER, OBSERVED, Arm, ItemId, View

chance = SystemRandom()


class Serving:
    """One page, as its learner was at one moment.

    Only the event loop ranks with it. Other threads read its fields, and ask copies of its policy.
    """

    def __init__(self, learner: Learner, arm_key: bytes) -> None:
        self.page, self.settings = learner.number, learner.settings
        self.policy = learner.policy.without_rounds()
        self.without = learner.without
        self.as_of, self._settings_entry = learner.cursor, learner.comparison.settings_entry
        self.items = items_of_now(self.policy)
        self.start = order_of_now(self.settings.start or (), self.items)
        self.frozen = order_of_now(learner.frozen or (), self.items)
        share = self.settings.holdout.share
        self._assignment = Assignment(arm_key, [share, 1.0 - share])

    @property
    def settings_now(self) -> PageSettings:
        """The settings with the present items, as a PUT that changes nothing would send them."""
        start = None if self.settings.start is None else self.start
        return msgspec.structs.replace(self.settings, items=self.items, start=start)

    def view(self, number: int, request: RankRequest, session: bytes, now: float) -> View:
        """Choose a ranking for one visitor; return the view."""
        assigned = self._assignment.of(number if request.session is None else request.session)
        arm = self._arm(assigned.arm)
        items, memory, propensity = self._chosen(arm, number, request.available)
        return View(
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
            settings_entry=self._settings_entry,
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
        """Keep what is available of an order; the policy refuses what no arm can be asked for."""
        if available is None:
            return order
        left = set(self.policy.items_among(available))
        return [item for item in order if item in left]

    def explanation(self) -> Explanation:
        """Why the policy shows what it shows, asked of a copy: to look changes nothing."""
        return copy(self.policy).explanation()
